import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { approvalTitle } from '#app/features/approvals/approval-title.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';
import { TalkForm } from '#app/features/approvals/talk/talk-form.tsx';

/** The form alone: where a comment that was refused is corrected. */
export function TalkPage({ approval, lastResult }: { approval: LoadedApproval; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const { toAnswer, entries } = approval.talk;
  const question = entries.find(({ id }) => id === toAnswer);
  return (
    <PageFrame
      title={t('talk.title')}
      breadcrumbs={[
        { label: t('inbox.title'), to: href('/dashboard/approvals') },
        { label: approvalTitle(approval, t), to: href('/dashboard/approvals/:approval', { approval: approval.id }) },
      ]}
    >
      <div className="grid max-w-measure gap-5">
        {question === undefined ? null : (
          <blockquote dir="auto" className="text-as-parent border-s-2 border-accent ps-3 break-words whitespace-pre-wrap">
            {revealedText(question.text)}
          </blockquote>
        )}
        <TalkForm approval={approval} lastResult={lastResult} />
      </div>
    </PageFrame>
  );
}
