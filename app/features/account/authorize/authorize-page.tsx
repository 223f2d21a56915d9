import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { AuthorizeAnswer } from '#app/features/account/authorize/authorize-action.server.ts';
import { authorizeSchema } from '#app/features/account/authorize/authorize-schema.ts';
import type { AuthorizeView } from '#app/features/account/authorize/load-authorize.server.ts';
import { useScopeWords } from '#app/features/account/keys/use-scope-words.ts';

/** A client asks for access: what it may do is chosen here, and nothing is granted before. */
export function AuthorizePage({ view, answer }: { view: AuthorizeView; answer: AuthorizeAnswer | undefined }) {
  if (answer?.to) return <GoingBack to={answer.to} />;
  switch (view.kind) {
    case 'over':
      return <Over error={view.error} />;
    case 'elsewhere':
      return <Elsewhere view={view} />;
    default:
      return <Ask view={view} answer={answer} />;
  }
}

function useCrumbs() {
  const { t } = useTranslation('account');
  return [
    { label: t('title'), to: href('/dashboard/account') },
    { label: t('area.apiKeys'), to: href('/dashboard/account/api-keys') },
  ];
}

function Ask({ view, answer }: { view: Extract<AuthorizeView, { kind: 'ask' }>; answer: AuthorizeAnswer | undefined }) {
  const { t } = useTranslation('account');
  const words = useScopeWords();
  const { client, resource } = view.request;
  const { form, fields } = useAppForm(authorizeSchema, { lastResult: answer?.result, defaultValue: { id: view.id, scopes: view.scopes } });
  const facts = [
    { term: t('authorize.client'), description: <bdi>{client.name}</bdi> },
    { term: t('authorize.returns'), description: <span dir="ltr">{client.returnHost}</span> },
    { term: t('authorize.resource'), description: <code dir="ltr">{resource}</code> },
  ];
  return (
    <PageFrame
      title={t('authorize.title', { name: client.name })}
      description={t('authorize.body', { workspace: view.workspace })}
      breadcrumbs={useCrumbs()}
    >
      <div className="grid gap-6">
        <Notice kind="info" title={t('authorize.unproven')}>
          <p>{t('authorize.unprovenBody')}</p>
        </Notice>
        <DescriptionList items={facts} />
        <AppForm form={form} reloadDocument>
          <input type="hidden" name={fields.id.name} defaultValue={view.id} />
          <CheckboxGroupField
            field={fields.scopes}
            label={t('apiKeys.scopes')}
            hint={t('authorize.scopesHint')}
            options={view.scopes.map((scope) => ({ value: scope, label: words[scope] }))}
          />
          <p className="max-w-measure text-sm text-muted">{t('authorize.ends', { count: view.days })}</p>
          <div className="flex flex-wrap gap-3">
            <SubmitButton name="answer" value="allow" busyLabel={t('authorize.allowing')}>
              {t('authorize.allow')}
            </SubmitButton>
            <Button type="submit" name="answer" value="refuse" variant="secondary" formNoValidate>
              {t('authorize.refuse')}
            </Button>
          </div>
        </AppForm>
      </div>
    </PageFrame>
  );
}

function GoingBack({ to }: { to: string }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame title={t('authorize.goingTitle')} description={t('authorize.goingBody')} breadcrumbs={useCrumbs()}>
      <p>
        <ButtonLink to={to} variant="primary" reloadDocument>
          {t('authorize.go')}
        </ButtonLink>
      </p>
    </PageFrame>
  );
}

function Elsewhere({ view }: { view: Extract<AuthorizeView, { kind: 'elsewhere' }> }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('authorize.elsewhereTitle')}
      description={view.workspace === null ? t('authorize.strangerBody') : t('authorize.elsewhereBody', { workspace: view.workspace.name })}
      breadcrumbs={useCrumbs()}
    >
      {view.workspace === null ? null : (
        <Form method="post" action={href('/dashboard/account/workspace')}>
          <input type="hidden" name="workspaceId" value={view.workspace.id} />
          <input type="hidden" name="next" value={view.path} />
          <SubmitButton>{t('authorize.switch', { workspace: view.workspace.name })}</SubmitButton>
        </Form>
      )}
    </PageFrame>
  );
}

function Over({ error }: { error: string | null }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('authorize.overTitle')}
      description={error === null ? t('authorize.overBody') : t('authorize.refusedBody', { error })}
      breadcrumbs={useCrumbs()}
    >
      <p>
        <ButtonLink to={href('/dashboard/account/api-keys')}>{t('apiKeys.several.back')}</ButtonLink>
      </p>
    </PageFrame>
  );
}
