import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import { DateField } from '#app/components/form/dates/date-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { INVITATION_DAYS } from '#app/domain/people/invitation.ts';
import { useMemberCrumbs } from '#app/features/members/change-roles-form.tsx';
import { useRoleOptions } from '#app/features/members/role-words.tsx';
import { inviteSchema } from '#app/features/members/roles-schema.ts';

export function InviteForm({ lastResult }: { lastResult: FormResult | undefined }) {
  const { t } = useTranslation('members');
  const { timeZone } = useLocale();
  const { form, fields } = useAppForm(inviteSchema, { lastResult, defaultValue: { roles: ['user'], zone: timeZone } });
  return (
    <PageFrame title={t('inviteTitle')} description={t('inviteDescription', { days: INVITATION_DAYS })} breadcrumbs={useMemberCrumbs()}>
      <AppForm form={form}>
        <input type="hidden" name="zone" value={timeZone} />
        <TextField field={fields.email} label={t('inviteEmail')} type="email" />
        <CheckboxGroupField field={fields.roles} label={t('rolesLabel')} options={useRoleOptions()} />
        <DateField field={fields.until} label={t('inviteUntil')} hint={t('inviteUntilHint')} optional />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('sendingInvitation')}>{t('sendInvitation')}</SubmitButton>
          <ButtonLink to={href('/dashboard/admin/members')} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
