import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { newWorkspaceSchema } from '#app/features/account/account-schemas.ts';

/** A workspace more, in which one is admin and builder. */
export function NewWorkspacePage({ founds, lastResult }: { founds: boolean; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const { form, fields } = useAppForm(newWorkspaceSchema, { lastResult });
  return (
    <PageFrame
      title={t('newWorkspace.title')}
      description={founds ? t('newWorkspace.text') : undefined}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/account') }]}
    >
      {founds ? null : <Notice kind="info" title={t('newWorkspace.closed')} />}
      {founds ? (
        <AppForm form={form}>
          <TextField field={fields.name} label={t('newWorkspace.name')} hint={t('newWorkspace.nameHint')} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton busyLabel={t('newWorkspace.creating')}>{t('newWorkspace.create')}</SubmitButton>
            <ButtonLink to={href('/dashboard')} variant="quiet">
              {t('cancel')}
            </ButtonLink>
          </div>
        </AppForm>
      ) : null}
    </PageFrame>
  );
}
