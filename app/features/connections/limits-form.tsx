import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import type { LoadedLimits } from '#app/features/connections/limits-action.server.ts';
import { limitsSchema } from '#app/features/connections/limits-schema.ts';

/** How many calls a connection takes at once and per minute. */
export function LimitsForm({ connection, lastResult }: { connection: LoadedLimits; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('connections');
  const { base, words } = CONNECTION_AREAS[connection.kind];
  const { form, fields } = useAppForm(limitsSchema, {
    lastResult,
    defaultValue: { atOnce: connection.atOnce ?? '', aMinute: connection.aMinute ?? '' },
  });
  const back = href(`${base}/:connection`, { connection: connection.id });
  return (
    <PageFrame
      title={t('limits.title', { name: connection.name })}
      description={t('limits.text')}
      breadcrumbs={[
        { label: t(words.title), to: href(base) },
        { label: connection.name, to: back },
      ]}
    >
      <AppForm form={form}>
        <NumberField field={fields.atOnce} label={t('limits.atOnce')} hint={t('limits.atOnceHint')} unit={t('limits.calls')} optional />
        <NumberField field={fields.aMinute} label={t('limits.aMinute')} hint={t('limits.aMinuteHint')} unit={t('limits.calls')} optional />
        <div className="flex flex-wrap gap-3">
          <SubmitButton>{t('limits.submit')}</SubmitButton>
          <ButtonLink variant="secondary" to={back}>
            {t('limits.cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
