import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Announcements, createAnnouncements } from '#app/components/live/announcements.ts';
import { notifyServer, settingsAtStart, storeSettings } from '#app/components/look/accessibility-storage.ts';
import {
  type AccessibilityName,
  type AccessibilitySettings,
  accessibilityClasses,
  DEFAULT_ACCESSIBILITY,
  formatAccessibility,
  parseAccessibility,
} from '#app/domain/people/appearance.ts';

export type Accessibility = {
  /** The settings in force: chosen here, or asked for by the operating system. */
  settings: AccessibilitySettings;
  /** The two that the operating system may ask for; false on the server, where style sheets ask it themselves. */
  system: { highContrast: boolean; reduceMotion: boolean };
  /** Takes effect at once, and is kept here and on the server. */
  update(name: AccessibilityName, on: boolean): void;
  /** Tells screen readers something that has just happened. Not for what gets the focus, nor for a live region: those speak themselves. */
  announce(text: string): void;
};

const AccessibilityContext = createContext<Accessibility | null>(null);

/** The reader's accessibility settings. Throws outside the provider. */
export function useAccessibility(): Accessibility {
  const accessibility = useContext(AccessibilityContext);
  if (accessibility === null) throw new Error('useAccessibility must be used within an AccessibilityProvider');
  return accessibility;
}

/**
 * For the document itself, which carries the classes: `saved` is what the server knows, undefined where the page
 * failed to load. `forVisit`: the person wants choices forgotten with the visit.
 */
export function useAccessibilityState(saved: AccessibilitySettings | undefined, forVisit: boolean) {
  const [chosen, setChosen] = useState(saved ?? DEFAULT_ACCESSIBILITY);
  const [announcements] = useState(createAnnouncements);
  const moreContrast = useMedia('(prefers-contrast: more)');
  const lessMotion = useMedia('(prefers-reduced-motion: reduce)');

  // Compared as text, so that loading the same choice again while a change is under way does not count.
  const savedText = saved === undefined ? null : formatAccessibility(saved);
  useEffect(() => {
    const known = parseAccessibility(savedText);
    if (known === null) return;
    const start = settingsAtStart(known, forVisit);
    // A new object with the same choice would redraw the whole document at once, before the browser has hydrated its parts one by one.
    setChosen((now) => (formatAccessibility(now) === formatAccessibility(start.settings) ? now : start.settings));
    storeSettings(start.settings, forVisit, !start.notifyServer);
    if (start.notifyServer) void mirror(start.settings, forVisit);
  }, [savedText, forVisit]);

  const update = useCallback(
    (name: AccessibilityName, on: boolean) => {
      const changed = { ...chosen, [name]: on };
      setChosen(changed);
      storeSettings(changed, forVisit, false);
      void mirror(changed, forVisit);
    },
    [chosen, forVisit],
  );
  const value = useMemo<Accessibility>(() => {
    const system = { highContrast: moreContrast, reduceMotion: lessMotion };
    const settings = {
      ...chosen,
      highContrast: chosen.highContrast || system.highContrast,
      reduceMotion: chosen.reduceMotion || system.reduceMotion,
    };
    return { settings, system, update, announce: announcements.announce };
  }, [chosen, moreContrast, lessMotion, update, announcements]);
  return { value, announcements, className: accessibilityClasses(value.settings) };
}

export function AccessibilityProvider({ state, children }: { state: ReturnType<typeof useAccessibilityState>; children: ReactNode }) {
  return (
    <AccessibilityContext value={state.value}>
      {children}
      <LiveRegion announcements={state.announcements} />
    </AccessibilityContext>
  );
}

/** In the page before anything is said in it, as screen readers need. Removed text is not spoken again. */
function LiveRegion({ announcements }: { announcements: Announcements }) {
  const list = useSyncExternalStore(announcements.subscribe, announcements.list, announcements.list);
  return (
    <div aria-live="polite" aria-relevant="additions" data-announcer="" className="sr-only print:hidden">
      {list.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

async function mirror(settings: AccessibilitySettings, forVisit: boolean): Promise<void> {
  if (await notifyServer(settings, forVisit)) storeSettings(settings, forVisit, true);
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    useCallback(
      (changed) => {
        const media = window.matchMedia(query);
        media.addEventListener('change', changed);
        return () => media.removeEventListener('change', changed);
      },
      [query],
    ),
    () => window.matchMedia(query).matches,
    () => false,
  );
}
