import { createContext, type FormEvent, type ReactNode, useCallback, useContext, useMemo } from 'react';
import { href } from 'react-router';
import { afterPaint } from '#app/components/live/after-paint.ts';
import { useChosen } from '#app/components/look/chosen.ts';
import { keepPreference, YEAR_SECONDS } from '#app/components/look/preference-cookie.ts';
import { DENSITIES, type Density, THEMES, type Theme } from '#app/domain/people/appearance.ts';

export type Looks = {
  theme: Theme;
  density: Density;
  /** Takes one of them, by the name and the value that its form sends: shown at once, kept here and on the server. False for what there is not. */
  choose(name: string, value: string): boolean;
};

const LooksContext = createContext<Looks | null>(null);

/** Theme and density as they are shown; null where the document itself could not be loaded. */
export function useLooks(): Looks | null {
  return useContext(LooksContext);
}

/** For a form whose buttons carry a choice: it applies at once in the page, without a round trip. */
export function useLooksForm(): { looks: Looks | null; onSubmit: (event: FormEvent<HTMLFormElement>) => void } {
  const looks = useLooks();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && looks?.choose(submitter.name, submitter.value)) event.preventDefault();
  };
  return { looks, onSubmit };
}

/** For the document, which carries both. `saved`: what the server knows. `forVisit`: the person wants choices forgotten with the visit. */
export function useLooksState(saved: { theme: Theme; density: Density }, forVisit: boolean): Looks {
  const [theme, showTheme] = useChosen(saved.theme);
  const [density, showDensity] = useChosen(saved.density);
  const choose = useCallback(
    (name: string, value: string) => {
      const show = changeOf(name, value, { theme: showTheme, density: showDensity });
      if (show === null) return false;
      // Another theme is another style for each element.
      afterPaint(show);
      keepPreference(name, value, forVisit ? null : YEAR_SECONDS);
      notifyServer(name, value);
      return true;
    },
    [forVisit, showTheme, showDensity],
  );
  return useMemo(() => ({ theme, density, choose }), [theme, density, choose]);
}

export function LooksProvider({ looks, children }: { looks: Looks; children: ReactNode }) {
  return <LooksContext value={looks}>{children}</LooksContext>;
}

/** The element that shows the choice; null if there is none. */
function changeOf(name: string, value: string, show: { theme(to: Theme): void; density(to: Density): void }): (() => void) | null {
  const theme = name === 'theme' ? THEMES.find((one) => one === value) : undefined;
  if (theme !== undefined) return () => show.theme(theme);
  const density = name === 'density' ? DENSITIES.find((one) => one === value) : undefined;
  return density === undefined ? null : () => show.density(density);
}

/** For the account of who is signed in, also when the page is left meanwhile. */
function notifyServer(name: string, value: string): void {
  const body = new URLSearchParams({ [name]: value });
  // Without a connection this browser has it all the same.
  fetch(href('/preferences/appearance'), { method: 'POST', body, keepalive: true }).catch(() => undefined);
}
