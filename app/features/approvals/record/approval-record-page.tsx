import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { Signatures } from '#app/components/data/signatures.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ApprovalAction } from '#app/features/approvals/approval-action.tsx';
import { approvalTitle } from '#app/features/approvals/approval-title.ts';
import type { LoadedApprovalRecord } from '#app/features/approvals/record/load-approval-record.server.ts';
import { ReleaseAction } from '#app/features/approvals/release-action.tsx';

/** What was asked and who signed it, to print or to keep: nothing here is pressed. */
export function ApprovalRecordPage({ record: { approval, signatures, now } }: { record: LoadedApprovalRecord }) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const { run } = approval;
  return (
    <PageFrame
      title={t('record.title', { title: approvalTitle(approval, t) })}
      description={t('record.text')}
      breadcrumbs={[
        { label: t('inbox.title'), to: href('/dashboard/approvals') },
        { label: approvalTitle(approval, t), to: href('/dashboard/approvals/:approval', { approval: approval.id }) },
      ]}
    >
      <Section title={t('record.asked')}>
        {approval.release === null ? (
          <ApprovalAction approval={approval} />
        ) : (
          <ReleaseAction approval={approval} release={approval.release} />
        )}
        <div className="mt-5">
          <DescriptionList
            items={[
              { term: t('page.why'), description: <ExplanationText explanation={approval.reason} /> },
              ...(run === null
                ? []
                : [
                    {
                      term: t('earlier.run'),
                      description: (
                        <Link className="text-link" to={href('/dashboard/runs/:run', { run: run.id })}>
                          <bdi>{format.runName(run)}</bdi>
                        </Link>
                      ),
                    },
                  ]),
              {
                term: t('page.requestedBy'),
                description: (
                  <>
                    <bdi>{approval.requestedBy ?? t('someone')}</bdi> · <RelativeTime at={approval.createdAt} exact />
                  </>
                ),
              },
              { term: t('page.risk'), description: <StatusWord status={approval.risk} /> },
              { term: t('page.decision'), description: <StatusWord status={approval.status} /> },
              ...(approval.decidedAt === null
                ? []
                : [{ term: t('page.decided'), description: <RelativeTime at={approval.decidedAt} exact /> }]),
              { term: t('page.digest'), description: <Digest value={approval.digest} full /> },
              { term: t('record.drawn'), description: <RelativeTime at={now} exact /> },
            ]}
          />
        </div>
      </Section>
      <Section title={t('record.signatures')}>
        <Signatures of={signatures} digest={approval.digest} />
        <p className="mt-5 max-w-measure text-sm text-muted">{t('record.check')}</p>
      </Section>
    </PageFrame>
  );
}
