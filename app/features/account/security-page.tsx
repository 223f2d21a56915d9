import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { AccountFrame } from '#app/features/account/account-frame.tsx';
import { changeEmailSchema, changePasswordSchema, MIN_PASSWORD_LENGTH } from '#app/features/account/account-schemas.ts';
import { IdentitiesSection } from '#app/features/account/identities-section.tsx';
import type { SecurityView } from '#app/features/account/load-security.server.ts';
import type { SecurityAnswer } from '#app/features/account/security-action.server.ts';

/** How one signs in: password, address, second factor, passkeys, providers of companies. */
export function SecurityPage({ view, answer }: { view: SecurityView; answer: SecurityAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <AccountFrame title={t('area.security')} description={t('areaBody.security')}>
      <Section title={t('security.passwordTitle')} description={t('security.passwordBody')}>
        <PasswordForm email={view.email} answer={answer?.form === 'password' ? answer : undefined} />
      </Section>
      <Section title={t('security.emailTitle')} description={t('security.emailBody', { email: view.email })}>
        <EmailForm answer={answer?.form === 'email' ? answer : undefined} />
      </Section>
      <Section title={t('security.factorTitle')} description={view.app ? t('security.factorOn') : t('security.factorOff')}>
        {view.alone ? (
          <div className="mb-4">
            <Notice kind="attention" title={t('security.aloneTitle')}>
              <p>{t('security.aloneBody', { workspace: view.workspace })}</p>
            </Notice>
          </div>
        ) : null}
        {view.enrolled ? <p className="mb-4">{t('factor.codesLeft', { count: view.codesLeft })}</p> : null}
        <ButtonLink to={href('/dashboard/account/security/factor')}>
          {view.app ? t('security.factorManage') : t('security.factorSetUp')}
        </ButtonLink>
      </Section>
      <Section title={t('passkeys.title')} description={t('passkeys.body')}>
        <p className="mb-4">{t('passkeys.count', { count: view.passkeys })}</p>
        <ButtonLink to={href('/dashboard/account/security/passkeys')}>{t('passkeys.manage')}</ButtonLink>
      </Section>
      <IdentitiesSection view={view} answer={answer?.form === 'identity' ? answer : undefined} />
    </AccountFrame>
  );
}

function PasswordForm({ email, answer }: { email: string; answer: SecurityAnswer | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(changePasswordSchema, { lastResult: answer?.result, id: 'password' });
  return (
    <AppForm form={form}>
      <input type="hidden" name="form" value="password" />
      {/* For password managers, which otherwise do not know whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField field={fields.currentPassword} label={t('security.currentPassword')} autoComplete="current-password" />
      <PasswordField
        field={fields.newPassword}
        label={t('security.newPassword')}
        hint={t('security.newPasswordHint', { min: MIN_PASSWORD_LENGTH })}
        autoComplete="new-password"
      />
      <div>
        <SubmitButton busyLabel={t('saving')}>{t('security.changePassword')}</SubmitButton>
      </div>
    </AppForm>
  );
}

function EmailForm({ answer }: { answer: SecurityAnswer | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(changeEmailSchema, { lastResult: answer?.result, id: 'email' });
  return (
    <AppForm form={form}>
      <input type="hidden" name="form" value="email" />
      <TextField field={fields.email} type="email" label={t('security.newEmail')} autoComplete="email" />
      <PasswordField field={fields.currentPassword} label={t('security.currentPassword')} autoComplete="current-password" />
      <div>
        <SubmitButton busyLabel={t('security.sending')}>{t('security.changeEmail')}</SubmitButton>
      </div>
    </AppForm>
  );
}
