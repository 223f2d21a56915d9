import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { ApprovalStatus, Risk, SignatureMeaning, Vote } from '#app/contracts/statuses.ts';

/** `meaning`: what it states where that is another word than its decision. */
export type ApprovalCardVote = { voter: string; vote: Vote; reason: string; at: string; meaning?: SignatureMeaning | null };
export type ApprovalCardProps = {
  id: string;
  title: string;
  status: ApprovalStatus;
  risk: Risk;
  reason: Explanation;
  quorum: number;
  /** ISO 8601 */
  dueAt: string;
  votes: readonly ApprovalCardVote[];
  /** Level of its heading, so that it fits below any other. */
  headingLevel?: 2 | 3 | 4;
};

/**
 * An approval on its run's page: its question, state and votes, with a link to decide it. Needs the namespaces approvals and explanations.
 */
export function ApprovalCard({ id, title, status, risk, reason, quorum, dueAt, votes, headingLevel = 3 }: ApprovalCardProps) {
  const { t } = useTranslation('approvals');
  const Heading = `h${headingLevel}` as const;
  return (
    <article className="rounded-lg border border-line border-s-4 border-s-attention-ink bg-surface p-4" data-approval={id}>
      <Heading className="font-semibold">
        <Link className="text-link" to={href('/dashboard/approvals/:approval', { approval: id })}>
          {title}
        </Link>
      </Heading>
      <p className="mt-1 max-w-measure">
        <ExplanationText explanation={reason} />
      </p>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Fact term={t('card.status')}>
          <StatusWord status={status} />
        </Fact>
        <Fact term={t('card.risk')}>
          <StatusWord status={risk} />
        </Fact>
        <Fact term={t('card.votes')}>{t('card.voteCount', { count: votes.filter((vote) => vote.vote !== 'reject').length, quorum })}</Fact>
        {status === 'pending' ? (
          <Fact term={t('card.due')}>
            <RelativeTime at={dueAt} />
          </Fact>
        ) : null}
      </dl>
      <ApprovalVotes votes={votes} />
    </article>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Each vote: person, decision, time and reason. */
export function ApprovalVotes({ votes }: { votes: readonly ApprovalCardVote[] }) {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  if (votes.length === 0) return null;
  return (
    <ul className="mt-3 grid gap-2">
      {votes.map((vote) => (
        <li key={`${vote.voter} ${vote.at}`} className="border-s-2 border-line ps-3">
          <p className="flex flex-wrap items-center gap-x-3">
            <bdi className="font-semibold">{vote.voter}</bdi>
            <StatusWord status={vote.vote} />
            {vote.meaning === 'reviewed' || vote.meaning === 'responsible' ? (
              <span className="text-muted">{common(`meaning.${vote.meaning}`)}</span>
            ) : null}
            <RelativeTime at={vote.at} />
          </p>
          <p className="max-w-measure break-words whitespace-pre-wrap text-muted">
            {vote.reason === '' ? t('card.noReason') : vote.reason}
          </p>
        </li>
      ))}
    </ul>
  );
}
