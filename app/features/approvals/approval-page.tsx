import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { ApprovalVotes } from '#app/components/data/approval-card.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ApprovalAction } from '#app/features/approvals/approval-action.tsx';
import { ApprovalDetails, EarlierDecisions } from '#app/features/approvals/approval-details.tsx';
import { approvalTitle } from '#app/features/approvals/approval-title.ts';
import { DecideApprovalForm } from '#app/features/approvals/decide-approval-form.tsx';
import { usePendingVote } from '#app/features/approvals/desk/use-pending-vote.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';
import { ReleaseAction } from '#app/features/approvals/release-action.tsx';
import { ApprovalTalk, OpenQuestion } from '#app/features/approvals/talk/approval-talk.tsx';
import { ApprovalWork } from '#app/features/approvals/work/approval-work.tsx';

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
  requesterGone: 'refusal.requesterGone',
  meaning: 'refusal.role',
  factor: 'refusal.role',
  group: 'refusal.group',
} as const satisfies Record<NonNullable<LoadedApproval['refusal']>, string>;

/**
 * One approval in the order in which a person decides: what is asked, why, how it went before, and the answer in reach; what only an
 * auditor asks for is folded.
 */
export function ApprovalPage({ approval, lastResult }: { approval: LoadedApproval; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const open = approval.status === 'pending';
  const decides = open && approval.refusal === null && approval.intact;
  return (
    <PageFrame
      title={approvalTitle(approval, t)}
      description={<ApprovalLine approval={approval} />}
      actions={
        approval.mayWithdraw ? (
          <ButtonLink variant="secondary" to={href('/dashboard/approvals/:approval/withdraw', { approval: approval.id })}>
            {t('withdraw.action')}
          </ButtonLink>
        ) : undefined
      }
    >
      <OpenQuestion approval={approval} />
      {approval.work === null ? null : <ApprovalWork approval={approval.id} work={approval.work} />}
      {approval.question === null ? (
        <Section title={approval.outcome === null ? t('page.action') : t('outcome.action')}>
          {approval.release === null ? (
            <ApprovalAction approval={approval} />
          ) : (
            <ReleaseAction approval={approval} release={approval.release} />
          )}
        </Section>
      ) : (
        <ApprovalAction approval={approval} />
      )}
      <p className="max-w-measure text-sm text-muted">{approval.outcome === null ? t('page.actionText') : t('outcome.actionText')}</p>
      <Section title={t('page.why')}>
        <Why approval={approval} />
      </Section>
      <Section title={t('page.decision')}>
        <p className="mb-3 text-muted">{t('page.quorumNeeded', { count: approval.quorum })}</p>
        <Demands demands={approval.demands} />
        {approval.votes.length === 0 ? (
          <p className="text-muted">{t('page.noVotes')}</p>
        ) : (
          <>
            <ApprovalVotes votes={approval.votes} />
            <p className="mt-3">
              <Link className="text-link py-0.5" to={href('/dashboard/approvals/:approval/record', { approval: approval.id })}>
                {t('page.record')}
              </Link>
            </p>
          </>
        )}
        <div className="mt-5 grid gap-5 empty:hidden">
          {open && approval.deciders < approval.quorum ? (
            <Notice kind="attention" title={t('page.tooFewDeciders', { count: approval.quorum, deciders: approval.deciders })} />
          ) : null}
          {decides && approval.alike > 0 ? (
            <p>
              <Link className="text-link py-0.5" to={href('/dashboard/approvals/:approval/together', { approval: approval.id })}>
                {t('together.link', { count: approval.alike })}
              </Link>
            </p>
          ) : null}
          {approval.refusal !== null && open ? <Notice kind="info" title={t(REFUSALS[approval.refusal])} /> : null}
          {open ? null : <Notice kind="info" title={t((approval.outcome === null ? CLOSED : CLOSED_OUTCOME)[approval.status])} />}
        </div>
      </Section>
      <Section title={t('talk.title')}>
        <ApprovalTalk approval={approval} />
      </Section>
      {approval.earlier === null ? null : (
        <Section title={t('earlier.title')}>
          <EarlierDecisions earlier={approval.earlier} />
        </Section>
      )}
      <ApprovalDetails approval={approval} />
      {/* Typed values stay, even where someone else was quicker. */}
      {decides || lastResult !== undefined ? (
        <DecideApprovalForm
          key={approval.id}
          approval={approval.id}
          digest={approval.digest}
          ways={approval.ways}
          meaning={approval.meaning}
          outcome={approval.outcome !== null}
          seen={approval.work?.holder ?? ''}
          lastResult={lastResult}
        />
      ) : null}
    </PageFrame>
  );
}

/** The people whom the policies that ask for it name, and how they prove that it is them. */
function Demands({ demands: { role, groups, reauthenticate } }: { demands: LoadedApproval['demands'] }) {
  const { t } = useTranslation('approvals');
  const said = [
    ...(role === 'admin' ? [t('demand.admins')] : []),
    ...groups.map((group) => t('demand.group', { group })),
    ...(reauthenticate === null ? [] : [t(`demand.${reauthenticate}`)]),
  ];
  if (said.length === 0) return null;
  return (
    <ul className="mb-3 list-disc ps-5">
      {said.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
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

/** Risk, run, who asked and until when: what tells this approval from others, in one line. */
function ApprovalLine({ approval }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const { run } = approval;
  const vote = usePendingVote(approval.id);
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <StatusWord status={vote ?? approval.status} />
      <span>
        {t('page.risk')} <StatusWord status={approval.risk} />
      </span>
      {run === null ? null : (
        <Link className="text-link py-0.5" to={href('/dashboard/runs/:run', { run: run.id })}>
          <bdi>{format.runName(run)}</bdi>
        </Link>
      )}
      {run === null ? null : (
        <bdi>{run.version === null ? run.workflow : t('page.runName', { name: run.workflow, version: run.version })}</bdi>
      )}
      <span>
        {t('page.requestedBy')} <bdi>{approval.requestedBy ?? t('someone')}</bdi> · <RelativeTime at={approval.createdAt} />
      </span>
      {approval.status === 'pending' ? (
        <span>
          {t('page.due')} <RelativeTime at={approval.dueAt} />
        </span>
      ) : null}
    </p>
  );
}

function Why({ approval }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  return (
    <>
      <p className="max-w-measure">
        <ExplanationText explanation={approval.reason} />
      </p>
      {approval.rules.length === 0 ? null : (
        <ul className="mt-2 grid gap-1">
          {approval.rules.map((rule) => (
            <li key={`${rule.policyId} ${rule.rule}`} className="flex flex-wrap items-baseline gap-x-3">
              <span className="text-muted">{t('page.policy')}</span>
              <Link className="text-link py-0.5" to={href('/dashboard/policies/:policy', { policy: rule.policyId })}>
                {t('page.policyName', { name: rule.policyName, version: rule.version })}
              </Link>
              <code className="text-sm">{rule.rule}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
