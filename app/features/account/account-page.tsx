import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { AppForm, WorkspaceInput } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page-frame.tsx';
import { LanguageForm, ThemeForm } from '#app/components/preference-forms.tsx';
import { Section } from '#app/components/section.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { AccountView } from '#app/features/account/load-account.server.ts';
import { nameSchema } from '#app/features/account/name-schema.ts';

export function AccountPage({ view, lastResult }: { view: AccountView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame title={t('title')} description={t('description')}>
      <Section title={t('profileTitle')} description={<bdi>{view.email}</bdi>}>
        <NameForm name={view.name} lastResult={lastResult} />
      </Section>
      <Section title={t('signInTitle')} description={t('changePasswordBody', { email: view.email })}>
        <Form method="post" action="/reset-password">
          <input type="hidden" name="form" value="request" />
          <input type="hidden" name="email" value={view.email} />
          <Button>{t('changePassword')}</Button>
        </Form>
      </Section>
      <Section title={t('workspacesTitle')} description={t('workspacesBody')}>
        <Workspaces view={view} />
      </Section>
      <Section title={t('appearanceTitle')}>
        <div className="grid max-w-xs gap-4">
          <ThemeForm />
          <LanguageForm />
        </div>
      </Section>
      <Section title={t('leaveTitle')}>
        <ButtonLink to="/auth/sign-out">{t('signOut')}</ButtonLink>
      </Section>
    </PageFrame>
  );
}

function NameForm({ name, lastResult }: { name: string; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(nameSchema, { lastResult, defaultValue: { name } });
  return (
    <AppForm form={form}>
      <TextField field={fields.name} label={t('name')} hint={t('nameHint')} autoComplete="name" />
      <div>
        <SubmitButton busyLabel={t('saving')}>{t('saveName')}</SubmitButton>
      </div>
    </AppForm>
  );
}

function Workspaces({ view }: { view: AccountView }) {
  const { t } = useTranslation('account');
  return (
    <ul className="grid max-w-measure divide-y divide-line rounded-lg border border-line bg-surface">
      {view.workspaces.map((workspace) => (
        <li key={workspace.id} className="flex min-h-12 flex-wrap items-center justify-between gap-3 px-4 py-2">
          <bdi>{workspace.name}</bdi>
          {workspace.id === view.workspace.id ? (
            <Badge tone="accent">{t('current')}</Badge>
          ) : (
            <Form method="post" action="/dashboard/account/workspace">
              <WorkspaceInput />
              <input type="hidden" name="workspaceId" value={workspace.id} />
              <Button size="small" aria-label={t('switchTo', { workspace: workspace.name })}>
                {t('switch')}
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
