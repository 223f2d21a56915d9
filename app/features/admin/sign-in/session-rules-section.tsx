import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import type { SignIn } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { sessionRulesFormSchema } from '#app/features/admin/sign-in/sign-in-schema.ts';

/** What the workspace asks of the sessions of its people. */
export function SessionRulesSection({ signIn, result }: { signIn: SignIn; result: FormResult | undefined }) {
  const { t } = useTranslation(['admin', 'control']);
  const { hours, idleMinutes, factor, networks } = signIn.sessions;
  const { form, fields } = useAppForm(sessionRulesFormSchema, {
    id: 'sessions',
    lastResult: result,
    defaultValue: {
      hours: hours === null ? '' : String(hours),
      idleMinutes: idleMinutes === null ? '' : String(idleMinutes),
      factor: factor ? 'on' : '',
      networks: networks.join('\n'),
    },
  });
  return (
    <Section title={t('sessions.title')} description={t(signIn.secondPersonAgrees ? 'sessions.bodyAsks' : 'sessions.body')}>
      <AppForm form={form}>
        <input type="hidden" name="intent" value="sessions" />
        <NumberField
          field={fields.hours}
          label={t('sessions.hours')}
          hint={t('sessions.hoursHint')}
          unit={t('sessions.hoursUnit')}
          optional
        />
        <NumberField
          field={fields.idleMinutes}
          label={t('sessions.idle')}
          hint={t('sessions.idleHint')}
          unit={t('sessions.idleUnit')}
          optional
        />
        <CheckboxField field={fields.factor} label={t('sessions.factor')} hint={t('sessions.factorHint')} />
        <TextAreaField
          field={fields.networks}
          label={t('sessions.networks')}
          hint={t('sessions.networksHint', { address: signIn.address })}
          rows={3}
          code
          optional
        />
        {signIn.secondPersonAgrees ? (
          <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('control:ask.reasonHint')} rows={3} optional />
        ) : null}
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('sessions.save')}</SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}
