import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { ApprovalVotes } from '#app/components/data/approval-card.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ApprovalAction } from '#app/features/approvals/approval-action.tsx';
import { DecideApprovalForm } from '#app/features/approvals/decide-approval-form.tsx';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';
import { ReleaseAction } from '#app/features/approvals/release-action.tsx';

const REFUSALS = {
  unknown: 'refusal.role',
  role: 'refusal.role',
  key: 'refusal.role',
  requester: 'refusal.requester',
  initiator: 'refusal.requester',
  author: 'refusal.author',
  digest: 'refusal.digest',
  closed: 'refusal.closed',
  late: 'refusal.late',
  voted: 'refusal.voted',
  reauthenticate: 'refusal.role',
  incomplete: 'refusal.role',
  notInitiator: 'refusal.role',
} as const satisfies Record<NonNullable<LoadedApproval['refusal']>, string>;

/** One approval: the action, why it needs a person, and the decision. */
export function ApprovalPage({ approval, lastResult }: { approval: LoadedApproval; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const open = approval.status === 'pending';
  return (
    <PageFrame
      title={
        approval.subjectKind === 'release'
          ? t('release.title')
          : approval.outcome === null
            ? approval.title
            : t('outcome.title', { title: approval.title })
      }
      description={<ExplanationText explanation={approval.reason} />}
      breadcrumbs={[{ label: t('inbox.title'), to: href('/dashboard/approvals') }]}
      actions={
        approval.mayWithdraw ? (
          <ButtonLink variant="secondary" to={href('/dashboard/approvals/:approval/withdraw', { approval: approval.id })}>
            {t('withdraw.action')}
          </ButtonLink>
        ) : undefined
      }
    >
      <ApprovalFacts approval={approval} />
      <Section
        title={
          approval.outcome !== null
            ? t('outcome.action')
            : approval.release !== null || approval.question === null
              ? t('page.action')
              : t('page.actionQuestion')
        }
        description={approval.outcome === null ? t('page.actionText') : t('outcome.actionText')}
      >
        {approval.release === null ? (
          <ApprovalAction approval={approval} />
        ) : (
          <ReleaseAction approval={approval} release={approval.release} />
        )}
      </Section>
      <Section title={t('page.decision')}>
        {approval.votes.length === 0 ? <p className="text-muted">{t('page.noVotes')}</p> : <ApprovalVotes votes={approval.votes} />}
        <div className="mt-5 grid gap-5">
          {open && approval.deciders < approval.quorum ? (
            <Notice kind="attention" title={t('page.tooFewDeciders', { count: approval.quorum, deciders: approval.deciders })} />
          ) : null}
          {approval.refusal !== null && open ? <Notice kind="info" title={t(REFUSALS[approval.refusal])} /> : null}
          {open ? null : <Notice kind="info" title={t((approval.outcome === null ? CLOSED : CLOSED_OUTCOME)[approval.status])} />}
          {/* Typed values stay, even where someone else was quicker. */}
          {(open && approval.refusal === null && approval.intact) || lastResult !== undefined ? (
            <DecideApprovalForm
              digest={approval.digest}
              highRisk={approval.risk === 'high'}
              outcome={approval.outcome !== null}
              lastResult={lastResult}
            />
          ) : null}
        </div>
      </Section>
    </PageFrame>
  );
}

const CLOSED = {
  pending: 'closed.pending',
  approved: 'closed.approved',
  consumed: 'closed.consumed',
  rejected: 'closed.rejected',
  expired: 'closed.expired',
  withdrawn: 'closed.withdrawn',
} as const;

const CLOSED_OUTCOME = {
  pending: 'closed.pending',
  approved: 'outcome.closed',
  consumed: 'outcome.closed',
  rejected: 'outcome.closedFailed',
  expired: 'outcome.closedFailed',
  withdrawn: 'outcome.closedFailed',
} as const;

function ApprovalFacts({ approval }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const { run } = approval;
  return (
    <DescriptionList
      items={[
        { term: t('page.status'), description: <StatusWord status={approval.status} /> },
        { term: t('page.risk'), description: <StatusWord status={approval.risk} /> },
        { term: t('page.quorum'), description: t('page.quorumText', { count: approval.quorum }) },
        { term: t('page.requestedBy'), description: approval.requestedBy ?? t('someone') },
        ...(approval.subjectKind === 'release'
          ? []
          : [{ term: t('page.versionAuthor'), description: approval.versionAuthor ?? t('someone') }]),
        { term: t('page.requested'), description: <RelativeTime at={approval.createdAt} /> },
        { term: t('page.due'), description: <RelativeTime at={approval.dueAt} /> },
        ...(approval.decidedAt === null ? [] : [{ term: t('page.decided'), description: <RelativeTime at={approval.decidedAt} /> }]),
        ...(approval.consumedAt === null ? [] : [{ term: t('page.consumed'), description: <RelativeTime at={approval.consumedAt} /> }]),
        ...(run === null
          ? []
          : [
              {
                term: t('page.run'),
                description: (
                  <span className="flex flex-wrap items-center gap-x-3">
                    <Link className="text-link" to={href('/dashboard/runs/:run', { run: run.id })}>
                      <bdi>{format.runName(run)}</bdi>
                    </Link>
                    <bdi>{run.version === null ? run.workflow : t('page.runName', { name: run.workflow, version: run.version })}</bdi>
                    <StatusWord status={run.status} />
                  </span>
                ),
              },
            ]),
        ...approval.rules.map((rule) => ({
          term: t('page.policy'),
          description: (
            <>
              <Link className="text-link" to={href('/dashboard/policies/:policy', { policy: rule.policyId })}>
                {t('page.policyName', { name: rule.policyName, version: rule.version })}
              </Link>{' '}
              <code className="text-sm">{rule.rule}</code>
            </>
          ),
        })),
        ...(approval.policyVersion === null
          ? []
          : [{ term: t('page.policyVersion'), description: <Digest value={approval.policyVersion} /> }]),
      ]}
    />
  );
}
