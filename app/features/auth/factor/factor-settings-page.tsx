import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import type { FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import { FactorSetup, PasswordForm } from '#app/features/auth/factor/factor-forms.tsx';
import type { FactorSettings } from '#app/features/auth/factor/load-factor-settings.server.ts';
import { RecoveryCodes } from '#app/features/auth/factor/recovery-codes.tsx';

/** Sets an authenticator up, renews its recovery codes, takes it away. */
export function FactorSettingsPage({ view, answer }: { view: FactorSettings; answer: FactorAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('factor.title')}
      description={t('factor.body')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.security'), to: href('/dashboard/account/security') },
      ]}
    >
      <Content view={view} answer={answer} />
    </PageFrame>
  );
}

function Content({ view, answer }: { view: FactorSettings; answer: FactorAnswer | undefined }) {
  const { t } = useTranslation('account');
  const resultOf = (form: FactorAnswer['form']) => (answer?.form === form ? answer.result : undefined);
  if (answer?.codes) return <RecoveryCodes codes={answer.codes} next={href('/dashboard/account/security')} />;
  if (answer?.setup) return <FactorSetup setup={answer.setup} result={answer.result} cancel={href('/dashboard/account/security')} />;
  if (!view.app) return <PasswordForm form="start" label={t('factor.start')} busyLabel={t('factor.starting')} result={resultOf('start')} />;
  return (
    <>
      {view.recovered ? (
        <Notice kind="attention" title={t('factor.recoveredTitle')}>
          <p>{t('factor.recoveredBody')}</p>
        </Notice>
      ) : (
        <Section title={t('factor.codesTitle')} description={t('factor.codesLeft', { count: view.codesLeft })}>
          <PasswordForm form="codes" label={t('factor.renewCodes')} busyLabel={t('saving')} result={resultOf('codes')} />
        </Section>
      )}
      <Section title={t('factor.removeTitle')} description={t('factor.removeBody')}>
        <PasswordForm form="remove" label={t('factor.remove')} busyLabel={t('factor.removing')} result={resultOf('remove')} danger />
      </Section>
    </>
  );
}
