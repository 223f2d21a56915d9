import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { Avatar } from '#app/components/data/avatar.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { FileField } from '#app/components/form/files/file-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { noFieldsSchema, pictureSchema } from '#app/features/account/account-schemas.ts';
import type { ProfileView } from '#app/features/account/profile/load-profile.server.ts';
import { PICTURE_MAX_SIDE, PICTURE_TYPES } from '#app/features/account/profile/picture.ts';

/** The form for one's picture: upload another, or remove it. */
export function PicturePage({ view, lastResult }: { view: ProfileView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('account');
  const upload = useAppForm(pictureSchema, { lastResult, id: 'picture' });
  const remove = useAppForm(noFieldsSchema, { id: 'remove' });
  return (
    <PageFrame
      title={t('picture.title')}
      description={t('picture.body')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/account') },
        { label: t('area.profile'), to: href('/dashboard/account/profile') },
      ]}
    >
      <div className="grid gap-8">
        <Avatar name={view.name} picture={view.picture} size="large" />
        <AppForm form={upload.form} encType="multipart/form-data">
          <FileField
            field={upload.fields.picture}
            label={t('picture.file')}
            hint={t('picture.hint', { side: PICTURE_MAX_SIDE })}
            accept={PICTURE_TYPES.join(',')}
          />
          <div className="flex flex-wrap gap-3">
            <SubmitButton busyLabel={t('saving')} name="form" value="upload">
              {t('picture.save')}
            </SubmitButton>
            <ButtonLink to={href('/dashboard/account/profile')} variant="quiet">
              {t('cancel')}
            </ButtonLink>
          </div>
        </AppForm>
        {view.picture === null ? null : (
          <AppForm form={remove.form} className="border-t border-line pt-6">
            <SubmitButton variant="secondary" busyLabel={t('saving')} name="form" value="remove">
              {t('picture.remove')}
            </SubmitButton>
          </AppForm>
        )}
      </div>
    </PageFrame>
  );
}
