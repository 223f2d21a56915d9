import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { noFieldsSchema } from '#app/features/account/account-schemas.ts';

export function RevokeApiKeyPage({ apiKey }: { apiKey: { name: string; prefix: string } }) {
  const { t } = useTranslation('account');
  const { form } = useAppForm(noFieldsSchema);
  return (
    <PageFrame
      title={t('apiKeys.revokeTitle', { name: apiKey.name })}
      description={t('apiKeys.revokeBody')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.apiKeys'), to: href('/dashboard/account/api-keys') },
      ]}
    >
      <AppForm form={form}>
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="danger" busyLabel={t('apiKeys.revoking')}>
            {t('apiKeys.revokeButton')}
          </SubmitButton>
          <ButtonLink to={href('/dashboard/account/api-keys')} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
