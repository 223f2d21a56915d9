import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { RunIdentity } from '#app/contracts/runs.ts';

/** The question before an approval is withdrawn. */
export function WithdrawApprovalPage({
  approval,
}: {
  approval: { id: string; title: string; run: (RunIdentity & { workflow: string }) | null };
}) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const back = href('/dashboard/approvals/:approval', { approval: approval.id });
  return (
    <PageFrame
      title={t('withdraw.title')}
      description={
        <>
          {approval.run === null ? null : <bdi className="block text-as-parent">{format.runName(approval.run)}</bdi>}
          {t('withdraw.text')}
        </>
      }
      breadcrumbs={[
        { label: t('inbox.title'), to: href('/dashboard/approvals') },
        { label: approval.title, to: back },
      ]}
    >
      <Form method="post" className="flex flex-wrap gap-3">
        <WorkspaceInput />
        <SubmitButton variant="danger" busyLabel={t('withdraw.busy')}>
          {t('withdraw.submit')}
        </SubmitButton>
        <ButtonLink variant="secondary" to={back}>
          {t('withdraw.keep')}
        </ButtonLink>
      </Form>
    </PageFrame>
  );
}
