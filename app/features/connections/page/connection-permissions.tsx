import { useTranslation } from 'react-i18next';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Section } from '#app/components/page/section.tsx';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';

/** Whether personal data may go to the peer. */
export function PersonalData({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const allowed = connection.personalDataAllowed;
  return (
    <Section title={t('personalData.title')} description={allowed ? t('personalData.allowedText') : t('personalData.forbiddenText')}>
      {connection.mayApprove ? (
        <CommandForm hidden={{ intent: allowed ? 'forbidPersonalData' : 'allowPersonalData' }}>
          <SubmitButton variant="secondary">{allowed ? t('personalData.forbid') : t('personalData.allow')}</SubmitButton>
        </CommandForm>
      ) : (
        <p className="text-sm text-muted">{t('personalData.whoDecides')}</p>
      )}
    </Section>
  );
}

/** Whether calls may be repeated, where that is not harmless anyway. */
export function RepeatedCalls({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const { idempotent } = connection;
  if (idempotent === null) return null;
  return (
    <Section title={t('repeat.title')} description={idempotent ? t('repeat.allowedText') : t('repeat.forbiddenText')}>
      {connection.mayApprove ? (
        <CommandForm hidden={{ intent: idempotent ? 'forbidRepeat' : 'allowRepeat' }}>
          <SubmitButton variant="secondary">{idempotent ? t('repeat.forbid') : t('repeat.allow')}</SubmitButton>
        </CommandForm>
      ) : (
        <p className="text-sm text-muted">{t('personalData.whoDecides')}</p>
      )}
    </Section>
  );
}
