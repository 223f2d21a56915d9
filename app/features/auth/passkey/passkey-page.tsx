import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import type { OnePasskeyAnswer } from '#app/features/auth/passkey/change-passkey-action.server.ts';
import type { PasskeyView } from '#app/features/auth/passkey/load-passkeys.server.ts';
import { removePasskeySchema, renamePasskeySchema } from '#app/features/auth/passkey/passkey-schema.ts';

/** One passkey: another name for it, or its end. */
export function PasskeyPage({ view: { passkey, ways }, answer }: { view: PasskeyView; answer: OnePasskeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={passkey.name}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.security'), to: href('/dashboard/account/security') },
        { label: t('passkeys.title'), to: href('/dashboard/account/security/passkeys') },
      ]}
    >
      {passkey.doubtedAt === null ? null : (
        <Notice kind="danger" title={t('passkeys.doubtedTitle')}>
          <p>
            {t('passkeys.doubtedBody')} <RelativeTime at={passkey.doubtedAt} exact />
          </p>
        </Notice>
      )}
      <Section title={t('passkeys.rename')}>
        <Rename name={passkey.name} answer={answer?.form === 'rename' ? answer : undefined} />
      </Section>
      <Section title={t('passkeys.remove')} description={t('passkeys.removeBody')}>
        <Remove ways={ways} answer={answer?.form === 'remove' ? answer : undefined} />
      </Section>
    </PageFrame>
  );
}

function Rename({ name, answer }: { name: string; answer: OnePasskeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(renamePasskeySchema, { lastResult: answer?.result, defaultValue: { name }, id: 'rename' });
  return (
    <AppForm form={form}>
      <input type="hidden" name="form" value="rename" />
      <TextField field={fields.name} label={t('passkeys.name')} />
      <div>
        <SubmitButton busyLabel={t('saving')}>{t('passkeys.save')}</SubmitButton>
      </div>
    </AppForm>
  );
}

function Remove({ ways, answer }: { ways: PasskeyView['ways']; answer: OnePasskeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(removePasskeySchema, { lastResult: answer?.result, id: 'remove' });
  return (
    <AppForm form={form} labels={{ password: t('security.currentPassword') }}>
      <input type="hidden" name="form" value="remove" />
      <ProofFields fields={fields} ways={ways} label={t('security.currentPassword')} hint={t('passkeys.proofHint')} />
      <div>
        <SubmitButton variant="danger" busyLabel={t('factor.removing')}>
          {t('factor.remove')}
        </SubmitButton>
      </div>
    </AppForm>
  );
}
