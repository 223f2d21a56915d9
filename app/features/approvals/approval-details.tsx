import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';

/** Facts for an auditor, folded for an approver: who, when, the digest, and everything that it binds. */
export function ApprovalDetails({ approval }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  const file = href('/dashboard/approvals/:approval/subject', { approval: approval.id });
  return (
    <details className="border-t border-line pt-4">
      <summary className="min-h-6 font-semibold">{t('page.details')}</summary>
      <div className="mt-4 grid gap-5">
        <DescriptionList
          items={[
            ...(approval.release === null
              ? [
                  { term: t('page.versionAuthor'), description: <bdi>{approval.versionAuthor ?? t('someone')}</bdi> },
                  { term: t('page.step'), description: <code dir="ltr">{approval.stepPath}</code> },
                ]
              : []),
            { term: t('page.requested'), description: <RelativeTime at={approval.createdAt} exact /> },
            ...(approval.decidedAt === null
              ? []
              : [{ term: t('page.decided'), description: <RelativeTime at={approval.decidedAt} exact /> }]),
            ...(approval.consumedAt === null
              ? []
              : [{ term: t('page.consumed'), description: <RelativeTime at={approval.consumedAt} exact /> }]),
            ...(approval.capability?.fingerprint
              ? [{ term: t('page.fingerprint'), description: <Digest value={approval.capability.fingerprint} /> }]
              : []),
            ...(approval.policyVersion === null
              ? []
              : [{ term: t('page.policyVersion'), description: <Digest value={approval.policyVersion} /> }]),
            { term: t('page.digest'), description: <Digest value={approval.digest} full /> },
          ]}
        />
        <div>
          <h3 className="mb-2 font-semibold">{t('page.whole')}</h3>
          <ValueView value={approval.subject} label={t('page.whole')} file={file} />
        </div>
      </div>
    </details>
  );
}

/** How the same question was decided before, those with the same values first. */
export function EarlierDecisions({ earlier }: { earlier: NonNullable<LoadedApproval['earlier']> }) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  if (earlier.total === 0) return <p className="text-muted">{t('earlier.none')}</p>;
  return (
    <>
      <p className="max-w-measure">
        {t('earlier.summary', { count: earlier.total, approved: earlier.approved, rejected: earlier.rejected })}
      </p>
      <ul className="mt-3 divide-y divide-line border-y border-line text-sm">
        {earlier.shown.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2">
            <Link className="text-link py-0.5" to={href('/dashboard/approvals/:approval', { approval: row.id })}>
              <StatusWord status={row.status} />
            </Link>
            {row.voters.length === 0 ? null : <bdi>{formats.list(row.voters)}</bdi>}
            <span className="text-muted">
              <RelativeTime at={row.at} />
            </span>
            <Link className="text-link py-0.5" to={href('/dashboard/runs/:run', { run: row.run.id })}>
              {t('earlier.run')}
              <span className="ms-2">
                <StatusWord status={row.run.status} />
              </span>
            </Link>
            {row.same.length === 0 ? null : (
              <span className="text-muted">{t('earlier.same', { names: formats.list(row.same.map(revealedText)) })}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
