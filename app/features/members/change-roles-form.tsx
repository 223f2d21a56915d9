import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { MemberView } from '#app/features/members/load-member.server.ts';
import { useRoleOptions } from '#app/features/members/role-words.tsx';
import { changeRolesSchema } from '#app/features/members/roles-schema.ts';

export function ChangeRolesForm({ member, lastResult }: { member: MemberView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('members');
  const { form, fields } = useAppForm(changeRolesSchema, { lastResult, defaultValue: { roles: member.roles } });
  return (
    <PageFrame title={t('rolesTitle', { name: member.name })} description={<bdi>{member.email}</bdi>} breadcrumbs={useMemberCrumbs()}>
      {member.directed ? <Notice kind="info" title={t('directoryDecides')} /> : null}
      <AppForm form={form}>
        <CheckboxGroupField field={fields.roles} label={t('rolesLabel')} options={useRoleOptions()} />
        {member.asks ? (
          <TextAreaField field={fields.reason} label={t('changeReason')} hint={t('changeReasonHint')} rows={2} optional />
        ) : null}
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('savingRoles')}>{t('saveRoles')}</SubmitButton>
          <ButtonLink to={href('/dashboard/admin/members')} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}

/** The way back from a screen below the list of members. */
export function useMemberCrumbs() {
  const { t } = useTranslation('members');
  return [
    { label: t('adminTitle'), to: href('/dashboard/admin') },
    { label: t('membersTitle'), to: href('/dashboard/admin/members') },
  ];
}
