import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, useLocation, useRouteLoaderData } from 'react-router';
import { Button } from '#app/components/ui/button.tsx';
import type { Consent } from '#app/domain/people/consent.ts';

const NOTHING_CHOSEN: Consent = { gdpr: false, ccpa: false, signal: false, chosen: false };

/** The Privacy & Compliance Center: two toggles in a form, which the server honours from the next answer on. */
export function PrivacyCenter() {
  const { t } = useTranslation('public');
  const { pathname } = useLocation();
  const consent = useRouteLoaderData<{ consent: Consent }>('root')?.consent ?? NOTHING_CHOSEN;
  return (
    <section aria-labelledby="privacy-center" className="border-t border-line py-8 print:hidden">
      <div className="grid gap-x-16 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div>
          <h2 id="privacy-center" className="font-semibold">
            {t('privacy.title')}
          </h2>
          <p className="mt-1 max-w-[42ch] text-sm text-muted">{t('privacy.text')}</p>
        </div>
        {/* The toggles show the stored choice, also one made elsewhere. */}
        <Form
          key={`${consent.gdpr} ${consent.ccpa}`}
          method="post"
          action={href('/preferences/consent')}
          preventScrollReset
          aria-labelledby="privacy-center"
        >
          <input type="hidden" name="next" value={pathname} />
          <Toggle name="gdpr" label={t('privacy.gdpr.label')} text={t('privacy.gdpr.text')} on={consent.gdpr} />
          <Toggle
            name="ccpa"
            label={t('privacy.ccpa.label')}
            text={consent.signal ? t('privacy.ccpa.signal') : t('privacy.ccpa.text')}
            on={consent.ccpa}
            fixed={consent.signal}
          />
          <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button size="small">{t('privacy.save')}</Button>
            <p role="status" className="text-sm text-muted">
              {consent.chosen ? t('privacy.saved') : ''}
            </p>
          </div>
        </Form>
      </div>
    </section>
  );
}

function Toggle({ name, label, text, on, fixed = false }: { name: string; label: string; text: string; on: boolean; fixed?: boolean }) {
  const id = useId();
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 border-t border-line py-4 first-of-type:border-t-0 first-of-type:pt-0">
      <input
        id={id}
        type="checkbox"
        name={name}
        value="on"
        defaultChecked={on}
        disabled={fixed}
        aria-describedby={`${id}-text`}
        className="toggle mt-0.5"
      />
      <div>
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        <p id={`${id}-text`} className="max-w-measure text-sm text-muted">
          {text}
        </p>
      </div>
    </div>
  );
}
