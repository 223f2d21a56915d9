import { useTranslation } from 'react-i18next';
import { Form, useLocation } from 'react-router';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { ACCESSIBILITY_NAMES, type AccessibilityName } from '#app/domain/people/appearance.ts';

const WORDS = {
  highContrast: { name: 'highContrast.name', body: 'highContrast.body' },
  reduceMotion: { name: 'reduceMotion.name', body: 'reduceMotion.body' },
  largerText: { name: 'largerText.name', body: 'largerText.body' },
  keyboardNavigation: { name: 'keyboardNavigation.name', body: 'keyboardNavigation.body' },
  screenReaderMode: { name: 'screenReaderMode.name', body: 'screenReaderMode.body' },
} as const satisfies Record<AccessibilityName, object>;

/** Shown by the style sheet while the operating system asks for the setting, so that it is true without scripts as well. */
const ASKED_BY_SYSTEM: Partial<Record<AccessibilityName, string>> = {
  highContrast: 'hidden contrast-more:block',
  reduceMotion: 'hidden motion-reduce:block',
};

/** The five settings as switches. Without scripts each is a form that comes back here. */
export function AccessibilityForms() {
  const { t } = useTranslation('appearance');
  return (
    <ul className="max-w-2xl divide-y divide-line rounded-lg border border-line bg-surface">
      {ACCESSIBILITY_NAMES.map((name) => (
        <li key={name} className="flex items-start justify-between gap-6 px-4 py-3.5">
          <div className="min-w-0">
            <p id={`${name}-name`} className="font-semibold">
              {t(WORDS[name].name)}
            </p>
            <p id={`${name}-body`} className="mt-0.5 text-sm text-muted">
              {t(WORDS[name].body)}
            </p>
            {ASKED_BY_SYSTEM[name] === undefined ? null : (
              <p className={`mt-1 text-sm text-info-ink ${ASKED_BY_SYSTEM[name]}`}>{t('askedBySystem')}</p>
            )}
          </div>
          <Switch name={name} />
        </li>
      ))}
    </ul>
  );
}

function Switch({ name }: { name: AccessibilityName }) {
  const { t } = useTranslation('appearance');
  const { settings, system, update } = useAccessibility();
  const { pathname } = useLocation();
  const on = settings[name];
  const fixed = (name === 'highContrast' || name === 'reduceMotion') && system[name];
  return (
    <Form
      method="post"
      action="/preferences/appearance"
      onSubmit={(event) => {
        event.preventDefault();
        if (!fixed) update(name, !on);
      }}
    >
      <input type="hidden" name="next" value={pathname} />
      <button
        type="submit"
        role="switch"
        name={name}
        value={on ? 'off' : 'on'}
        aria-checked={on}
        aria-disabled={fixed ? true : undefined}
        aria-labelledby={`${name}-name`}
        aria-describedby={`${name}-body`}
        className="group flex min-h-8 items-center gap-2 rounded-full ps-2 text-sm font-semibold text-muted aria-checked:text-accent aria-disabled:opacity-60"
      >
        {on ? t('on') : t('off')}
        <span
          aria-hidden="true"
          className="flex h-6 w-11 shrink-0 items-center rounded-full border border-edge bg-raised p-0.5 transition-colors duration-[120ms] group-aria-checked:justify-end group-aria-checked:border-accent group-aria-checked:bg-accent forced-colors:group-aria-checked:bg-[Highlight]"
        >
          <span className="block size-4.5 rounded-full border border-edge bg-surface group-aria-checked:border-accent-ink group-aria-checked:bg-accent-ink forced-colors:bg-[ButtonText]" />
        </span>
      </button>
    </Form>
  );
}
