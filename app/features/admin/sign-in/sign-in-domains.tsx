import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { SignIn } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { domainSchema } from '#app/features/admin/sign-in/sign-in-schema.ts';

/** The e-mail domains of the workspace: each with the record that proves it, or since when it is proven. */
export function SignInDomains({ domains, result }: { domains: SignIn['domains']; result: FormResult | undefined }) {
  const { t } = useTranslation('admin');
  const { form, fields } = useAppForm(domainSchema, { id: 'domain', lastResult: result });
  return (
    <Section title={t('signIn.domains')} description={t('signIn.domainsBody')}>
      {domains.length === 0 ? null : (
        <ul className="mb-6 grid gap-4">
          {domains.map((one) => (
            <Domain key={one.domain} domain={one} />
          ))}
        </ul>
      )}
      <AppForm form={form}>
        <input type="hidden" name="intent" value="addDomain" />
        <TextField field={fields.domain} label={t('signIn.domain')} hint={t('signIn.domainHint')} code />
        <div>
          <SubmitButton variant="secondary" busyLabel={t('saving')}>
            {t('signIn.addDomain')}
          </SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}

function Domain({ domain: { domain, record, verifiedAt } }: { domain: SignIn['domains'][number] }) {
  const { t } = useTranslation('admin');
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 rounded-lg border border-line bg-surface p-4">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-semibold">
          <bdi>{domain}</bdi>
        </h3>
        {verifiedAt === null ? (
          <>
            <p className="mt-1 text-sm text-muted">{t('signIn.publish', { domain })}</p>
            <p className="mt-1">
              <CopiedCode text={record} name={t('signIn.record')} />
            </p>
          </>
        ) : (
          <p className="mt-1 text-sm">
            {t('signIn.proven')} <RelativeTime at={verifiedAt} />
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {verifiedAt === null ? (
          <CommandForm hidden={{ intent: 'verify', domain }}>
            <SubmitButton variant="secondary" size="small">
              {t('signIn.verify')} <bdi className="sr-only">{domain}</bdi>
            </SubmitButton>
          </CommandForm>
        ) : null}
        <CommandForm hidden={{ intent: 'removeDomain', domain }}>
          <SubmitButton variant="secondary" size="small">
            {t('signIn.remove')} <bdi className="sr-only">{domain}</bdi>
          </SubmitButton>
        </CommandForm>
      </div>
    </li>
  );
}
