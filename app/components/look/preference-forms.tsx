import { useTranslation } from 'react-i18next';
import { Form, href, useLocation } from 'react-router';
import { useLanguageSwitch } from '#app/components/look/language-switch.tsx';
import { useLooksForm } from '#app/components/look/looks-provider.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '#app/domain/web/languages.ts';

const CHOICE =
  'flex min-h-9 w-full items-center justify-between gap-3 rounded-md px-2.5 text-start text-sm text-ink hover:bg-raised aria-[current=true]:bg-accent-soft aria-[current=true]:font-semibold aria-[current=true]:text-accent';

function useHere(): string {
  const location = useLocation();
  return `${location.pathname}${location.search}`;
}

/** The choice was made in the page, so the menu closes as after a page load. */
function closeMenu(form: HTMLFormElement) {
  const menu = form.closest('details');
  if (menu === null) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/** The six languages as buttons of one form: each takes effect at once, with scripts and without. */
export function LanguageForm() {
  const { t } = useTranslation('common');
  const { language } = useLocale();
  const change = useLanguageSwitch();
  return (
    // Without scripts the document is loaded again; with them it changes in place and keeps what was typed.
    <Form
      reloadDocument
      method="post"
      action={href('/preferences/language')}
      aria-label={t('language.label')}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        const wanted = submitter instanceof HTMLButtonElement ? submitter.value : null;
        if (change === null || !isLanguage(wanted)) return;
        event.preventDefault();
        closeMenu(event.currentTarget);
        void change(wanted);
      }}
    >
      <input type="hidden" name="next" value={useHere()} />
      <ul className="grid gap-0.5">
        {LANGUAGES.map((code) => (
          <li key={code}>
            <button
              type="submit"
              name="language"
              value={code}
              className={CHOICE}
              {...(code === language ? { 'aria-current': 'true' as const } : {})}
            >
              <bdi lang={code}>{LANGUAGE_NAMES[code]}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </Form>
  );
}

/** Light, dark, or as the system says. */
export function ThemeForm() {
  const { t } = useTranslation('common');
  const { looks, onSubmit } = useLooksForm();
  const themes = [
    { value: 'light', label: t('theme.light') },
    { value: 'dark', label: t('theme.dark') },
    { value: 'system', label: t('theme.system') },
  ];
  return (
    <Form
      method="post"
      action={href('/preferences/appearance')}
      preventScrollReset
      aria-label={t('theme.label')}
      onSubmit={(event) => {
        onSubmit(event);
        closeMenu(event.currentTarget);
      }}
    >
      <input type="hidden" name="next" value={useHere()} />
      <ul className="grid grid-cols-3 gap-0.5">
        {themes.map((theme) => (
          <li key={theme.value}>
            <button
              type="submit"
              name="theme"
              value={theme.value}
              className={`${CHOICE} justify-center`}
              {...(looks?.theme === theme.value ? { 'aria-current': 'true' as const } : {})}
            >
              {theme.label}
            </button>
          </li>
        ))}
      </ul>
    </Form>
  );
}
