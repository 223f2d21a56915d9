import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import type { LoadedSignIn } from '#app/features/connections/sign-in/load-sign-in.server.ts';

const choiceSchema = z.object({ by: z.enum(['workspace', 'member']), owner: z.string().default('') });

/** With whose account the connection is called. */
export function SignInChoice({ loaded }: { loaded: Extract<LoadedSignIn, { leaving: null }> }) {
  const { t } = useTranslation('connections');
  const { by, owner } = loaded.signIn;
  const { form, fields } = useAppForm(choiceSchema, { lastResult: undefined, defaultValue: { by, owner: owner ?? '' } });
  return (
    <Section title={t('signIn.choice')}>
      <AppForm form={form}>
        <input type="hidden" name="intent" value="set" />
        <RadioGroupField
          field={fields.by}
          label={t('signIn.account')}
          options={[
            { value: 'workspace', label: t('signIn.oneAccount'), hint: t('signIn.oneAccountHint') },
            { value: 'member', label: t('signIn.ownAccounts'), hint: t('signIn.ownAccountsHint') },
          ]}
        />
        <SelectField
          field={fields.owner}
          label={t('signIn.owner')}
          hint={t('signIn.ownerHint')}
          placeholder={t('signIn.noOwner')}
          options={loaded.people.map(({ id, name }) => ({ value: id, label: name }))}
          optional
        />
        <div>
          <SubmitButton variant="secondary">{t('signIn.save')}</SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}
