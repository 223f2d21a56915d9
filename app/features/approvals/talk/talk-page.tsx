import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { approvalTitle } from '#app/features/approvals/approval-title.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';
import { ApprovalTalk } from '#app/features/approvals/talk/approval-talk.tsx';

/** The discussion alone: where a comment that was refused is corrected. */
export function TalkPage({ approval, lastResult }: { approval: LoadedApproval; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  return (
    <PageFrame
      title={t('talk.title')}
      breadcrumbs={[
        { label: t('inbox.title'), to: href('/dashboard/approvals') },
        { label: approvalTitle(approval, t), to: href('/dashboard/approvals/:approval', { approval: approval.id }) },
      ]}
    >
      <ApprovalTalk approval={approval} lastResult={lastResult} />
    </PageFrame>
  );
}
