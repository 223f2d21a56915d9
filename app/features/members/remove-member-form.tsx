import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ROLES_OF_CONTROL } from '#app/domain/people/roles.ts';
import { useMemberCrumbs } from '#app/features/members/change-roles-form.tsx';
import type { MemberView } from '#app/features/members/load-member.server.ts';
import { removeMemberSchema } from '#app/features/members/roles-schema.ts';

export function RemoveMemberForm({ member, lastResult }: { member: MemberView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('members');
  const asks = member.asks && !member.isMe && member.roles.some((role) => ROLES_OF_CONTROL.includes(role));
  const { form, fields } = useAppForm(removeMemberSchema, { lastResult });
  return (
    <PageFrame
      title={t('removeTitle', { name: member.name })}
      description={t('removeBody', { name: member.name })}
      breadcrumbs={useMemberCrumbs()}
    >
      <AppForm form={form}>
        {asks ? <TextAreaField field={fields.reason} label={t('changeReason')} hint={t('changeReasonHint')} rows={2} /> : null}
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="danger" busyLabel={t('removing')}>
            {t('removeButton')}
          </SubmitButton>
          <ButtonLink to={href('/dashboard/admin/members')} variant="quiet">
            {t('cancel')}
          </ButtonLink>
        </div>
      </AppForm>
    </PageFrame>
  );
}
