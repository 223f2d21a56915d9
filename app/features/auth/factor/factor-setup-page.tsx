import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { Section } from '#app/components/page/section.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import { FactorSetup, PasswordForm } from '#app/features/auth/factor/factor-forms.tsx';
import type { FactorSetupView } from '#app/features/auth/factor/load-factor-setup.server.ts';
import { RecoveryCodes } from '#app/features/auth/factor/recovery-codes.tsx';
import { AddPasskey } from '#app/features/auth/passkey/add-passkey.tsx';
import type { PasskeyAnswer } from '#app/features/auth/passkey/change-passkeys-action.server.ts';

type Answer = { of: 'app'; app: FactorAnswer } | { of: 'passkey'; passkey: PasskeyAnswer } | undefined;

/** For who has no factor, where a workspace asks for one: they set it up, and go on to where they were going. */
export function FactorSetupPage({ view, answer }: { view: FactorSetupView; answer: Answer }) {
  const { t } = useTranslation('account');
  const { t: auth } = useTranslation('auth');
  const app = answer?.of === 'app' ? answer.app : undefined;
  const passkey = answer?.of === 'passkey' ? answer.passkey : undefined;
  const codes = app?.codes ?? passkey?.codes;
  return (
    <TaskPage title={auth('setup.title')} description={auth('setup.body')}>
      {codes ? (
        <RecoveryCodes codes={codes} next={view.next} />
      ) : app?.setup ? (
        <FactorSetup setup={app.setup} result={app.result} cancel={view.here} />
      ) : passkey?.setup ? (
        <AddPasskey ways={view.ways} answer={passkey} />
      ) : (
        <>
          <Section title={t('factor.title')} description={t('factor.body')}>
            <PasswordForm form="start" label={t('factor.start')} busyLabel={t('factor.starting')} result={app?.result} />
          </Section>
          {view.passkeys ? (
            <Section title={t('passkeys.add')} description={t('passkeys.addBody')}>
              <AddPasskey ways={view.ways} answer={passkey} />
            </Section>
          ) : null}
          <p>
            <Link className="text-link" to={href('/reset-password')}>
              {auth('setup.noPassword')}
            </Link>
          </p>
        </>
      )}
      <Form method="post" action={href('/auth/sign-out')}>
        <Button variant="quiet">{auth('factor.signOut')}</Button>
      </Form>
    </TaskPage>
  );
}
