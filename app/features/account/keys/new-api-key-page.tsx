import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField, RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { CopiedValue } from '#app/components/form/copied-value.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import { API_KEY_DAYS, newApiKeySchema } from '#app/features/account/account-schemas.ts';
import type { CreatedKey, NewKeyAnswer } from '#app/features/account/keys/create-api-key-action.server.ts';
import type { NewApiKeyView } from '#app/features/account/keys/load-api-keys.server.ts';
import { useScopeWords } from '#app/features/account/keys/use-scope-words.ts';

/** The form of a key; when it is made, the key itself, this once. */
export function NewApiKeyPage({ view, answer }: { view: NewApiKeyView; answer: NewKeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={answer?.created ? t('apiKeys.createdTitle') : t('apiKeys.create')}
      description={answer?.created ? undefined : t('apiKeys.newBody', { workspace: view.workspace })}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.apiKeys'), to: href('/dashboard/account/api-keys') },
      ]}
    >
      {answer?.created ? <Created created={answer.created} /> : <NewKeyForm view={view} answer={answer} />}
    </PageFrame>
  );
}

function NewKeyForm({ view, answer }: { view: NewApiKeyView; answer: NewKeyAnswer | undefined }) {
  const { t } = useTranslation('account');
  const scopeWords = useScopeWords();
  const { form, fields } = useAppForm(newApiKeySchema, {
    lastResult: answer?.result,
    defaultValue: { id: view.id, days: String(API_KEY_DAYS[0]), scopes: ['runs:read'] },
  });
  return (
    <AppForm form={form}>
      <input type="hidden" name={fields.id.name} defaultValue={view.id} />
      <TextField field={fields.name} label={t('apiKeys.name')} hint={t('apiKeys.nameHint')} />
      <CheckboxGroupField
        field={fields.scopes}
        label={t('apiKeys.scopes')}
        hint={t('apiKeys.scopesHint')}
        options={view.scopes.map((scope) => ({ value: scope, label: scopeWords[scope], hint: <code dir="ltr">{scope}</code> }))}
      />
      <RadioGroupField
        field={fields.days}
        label={t('apiKeys.lifetime')}
        options={API_KEY_DAYS.toSorted((one, other) => one - other).map((count) => ({
          value: String(count),
          label: t('apiKeys.days', { count }),
        }))}
      />
      <TextAreaField
        field={fields.networks}
        label={t('apiKeys.networks')}
        hint={t('apiKeys.networksHint', { address: view.address })}
        rows={3}
        code
        optional
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('apiKeys.creating')}>{t('apiKeys.create')}</SubmitButton>
        <ButtonLink to={href('/dashboard/account/api-keys')} variant="quiet">
          {t('cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}

function Created({ created }: { created: CreatedKey }) {
  const { t } = useTranslation('account');
  return (
    <div className="grid gap-6">
      <Notice kind="ok" live title={t('apiKeys.createdNotice', { name: created.name })}>
        <p>{t('apiKeys.createdBody')}</p>
      </Notice>
      <CopiedValue label={t('apiKeys.secret')} value={created.secret} />
      <div className="max-w-measure">
        <p className="mb-1.5 text-sm text-muted">{t('apiKeys.howTo')}</p>
        <CodeBlock code={`Authorization: Bearer ${created.secret.slice(0, 8)}…`} name="Authorization" />
      </div>
      <div>
        <ButtonLink to={href('/dashboard/account/api-keys')} variant="primary">
          {t('apiKeys.stored')}
        </ButtonLink>
      </div>
    </div>
  );
}
