import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PasswordField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { deleteAccountSchema } from '#app/features/account/account-schemas.ts';
import type { FarewellView } from '#app/features/account/data/load-data.server.ts';

/** Asks twice, by the address typed and the password given, and says before what will be gone. */
export function DeleteAccountPage({ view, lastResult }: { view: FarewellView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={t('data.delete')}
      description={t('data.deleteWhat')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.data'), to: href('/dashboard/account/data') },
      ]}
    >
      <div className="grid max-w-measure gap-6">
        {view.blocks.length > 0 ? (
          <Notice kind="attention" title={t('data.handOver')}>
            <Names of={view.blocks} />
            <p className="mt-2">{t('data.handOverBody')}</p>
          </Notice>
        ) : (
          <>
            {view.goes.length > 0 ? (
              <Notice kind="danger" title={t('data.goes')}>
                <Names of={view.goes} />
              </Notice>
            ) : null}
            {view.stays.length > 0 ? (
              <Notice kind="info" title={t('data.stays')}>
                <Names of={view.stays} />
              </Notice>
            ) : null}
            <DeleteForm email={view.email} lastResult={lastResult}>
              <ButtonLink to={href('/dashboard/account/data')} variant="quiet">
                {t('cancel')}
              </ButtonLink>
            </DeleteForm>
          </>
        )}
      </div>
    </PageFrame>
  );
}

function DeleteForm({ email, lastResult, children }: { email: string; lastResult: FormResult | undefined; children: ReactNode }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(deleteAccountSchema, { lastResult });
  return (
    <AppForm form={form}>
      <TextField field={fields.confirmation} type="email" label={t('data.confirmation')} hint={<bdi>{email}</bdi>} />
      <PasswordField field={fields.currentPassword} label={t('security.currentPassword')} autoComplete="current-password" />
      <div className="flex flex-wrap gap-3">
        <SubmitButton variant="danger" busyLabel={t('data.deleting')}>
          {t('data.deleteForGood')}
        </SubmitButton>
        {children}
      </div>
    </AppForm>
  );
}

function Names({ of: workspaces }: { of: FarewellView['goes'] }) {
  return (
    <ul className="list-disc ps-5">
      {workspaces.map((workspace) => (
        <li key={workspace.id}>
          <bdi>{workspace.name}</bdi>
        </li>
      ))}
    </ul>
  );
}
