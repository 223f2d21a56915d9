import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { removeIdentitySchema } from '#app/features/account/account-schemas.ts';
import type { SecurityView } from '#app/features/account/load-security.server.ts';
import type { SecurityAnswer } from '#app/features/account/security-action.server.ts';

type Identity = SecurityView['identities'][number];

/** The providers of companies that sign one in; each can be disconnected where its workspace takes another sign-in as well. */
export function IdentitiesSection({ view, answer }: { view: SecurityView; answer: SecurityAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('identities.title')} description={t(view.identities.length === 0 ? 'identities.none' : 'identities.body')}>
      {view.identities.length === 0 ? null : (
        <ul className="grid gap-6">
          {view.identities.map((identity) => (
            <li key={identity.key} className="grid gap-4">
              <p>
                <span className="font-semibold">
                  {t('identities.name', { provider: identity.provider, workspace: identity.workspace })}
                </span>{' '}
                <RelativeTime at={identity.createdAt} />
              </p>
              {identity.required ? (
                <p className="text-sm text-muted">{t('identities.required', { workspace: identity.workspace })}</p>
              ) : (
                <Disconnect identity={identity} ways={view.ways} answer={answer?.key === identity.key ? answer : undefined} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Disconnect({ identity, ways, answer }: { identity: Identity; ways: SecurityView['ways']; answer: SecurityAnswer | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(removeIdentitySchema, { lastResult: answer?.result, id: `identity-${identity.key.slice(0, 8)}` });
  return (
    <AppForm form={form} labels={{ password: t('security.currentPassword') }}>
      <input type="hidden" name="form" value="identity" />
      <input type="hidden" name="key" value={identity.key} />
      <ProofFields fields={fields} ways={ways} label={t('security.currentPassword')} hint={t('passkeys.proofHint')} />
      <div>
        <SubmitButton variant="danger" busyLabel={t('factor.removing')}>
          {t('identities.remove', { provider: identity.provider })}
        </SubmitButton>
      </div>
    </AppForm>
  );
}
