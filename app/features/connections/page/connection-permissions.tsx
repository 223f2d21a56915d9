import { useTranslation } from 'react-i18next';
import { AskSecondPerson } from '#app/components/form/ask/ask-second-person.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Section } from '#app/components/page/section.tsx';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';

/** `missing`: the permission that was asked for without a reason. */
type Props = { connection: LoadedConnection; missing: string | undefined };

/** Whether personal data may go to the peer. To allow it needs another person where there is one. */
export function PersonalData({ connection, missing }: Props) {
  const { t } = useTranslation('connections');
  const allowed = connection.personalDataAllowed;
  return (
    <Section title={t('personalData.title')} description={allowed ? t('personalData.allowedText') : t('personalData.forbiddenText')}>
      {connection.asksForPermits && !allowed ? (
        <AskSecondPerson
          id="personal-data-reason"
          hidden={{ intent: 'allowPersonalData' }}
          submit={t('personalData.ask')}
          missing={missing === 'allowPersonalData'}
        />
      ) : connection.mayApprove ? (
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
export function RepeatedCalls({ connection, missing }: Props) {
  const { t } = useTranslation('connections');
  const { idempotent } = connection;
  if (idempotent === null) return null;
  return (
    <Section title={t('repeat.title')} description={idempotent ? t('repeat.allowedText') : t('repeat.forbiddenText')}>
      {connection.asksForPermits && !idempotent ? (
        <AskSecondPerson
          id="repeat-reason"
          hidden={{ intent: 'allowRepeat' }}
          submit={t('repeat.ask')}
          missing={missing === 'allowRepeat'}
        />
      ) : connection.mayApprove ? (
        <CommandForm hidden={{ intent: idempotent ? 'forbidRepeat' : 'allowRepeat' }}>
          <SubmitButton variant="secondary">{idempotent ? t('repeat.forbid') : t('repeat.allow')}</SubmitButton>
        </CommandForm>
      ) : (
        <p className="text-sm text-muted">{t('personalData.whoDecides')}</p>
      )}
    </Section>
  );
}
