import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { ApprovalVotes } from '#app/components/data/approval-card.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { BreakGlassForm } from '#app/features/control/break-glass-form.tsx';
import { BreakGlassState } from '#app/features/control/break-glass-state.tsx';
import { changeTitle } from '#app/features/control/change-words.ts';
import { ControlDifference } from '#app/features/control/control-difference.tsx';
import { ControlVoteForm } from '#app/features/control/control-vote-form.tsx';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';

/** `version`: the difference of a version; `examples`: those of a policy, and what it says to them; `replay`: decisions of past runs made again with what a policy would be. */
type Props = {
  change: LoadedControlChange;
  version: ReactNode;
  examples: ReactNode;
  replay: ReactNode;
  lastResult: FormResult | undefined;
};

/** A control change in the order in which another person decides: the change itself, who asked and why, and the vote. */
export function ControlChangePage({ change, version, examples, replay, lastResult }: Props) {
  const { t } = useTranslation('control');
  const open = change.status === 'pending' || change.status === 'emergency';
  return (
    <PageFrame
      title={changeTitle(change, t)}
      wide={change.difference !== null && change.difference.kind !== 'policy'}
      description={<StatusWord status={change.status} />}
      breadcrumbs={[{ label: t('list.title'), to: href('/dashboard/changes') }]}
      actions={
        open && change.mine ? (
          <CommandForm hidden={{ command: 'withdraw' }}>
            <Button variant="secondary">{t(change.status === 'emergency' ? 'glass.endNow' : 'page.withdraw')}</Button>
          </CommandForm>
        ) : undefined
      }
    >
      <Section title={t('page.difference')}>
        <ControlDifference change={change} version={version} />
      </Section>
      {examples === null ? null : <Section title={t('page.examples')}>{examples}</Section>}
      {replay === null ? null : <Section title={t('page.replay')}>{replay}</Section>}
      <Section title={t('page.asked')}>
        <DescriptionList
          items={[
            { term: t('list.by'), description: <bdi>{change.requestedBy || t('gone')}</bdi> },
            { term: t('list.at'), description: <RelativeTime at={change.at} exact /> },
            { term: t('page.reason'), description: <Typed text={change.reason || t('page.noReason')} /> },
            ...(change.status === 'pending' ? [{ term: t('list.due'), description: <RelativeTime at={change.dueAt} /> }] : []),
            { term: t('page.digest'), description: <Digest value={change.digest} full /> },
          ]}
        />
      </Section>
      {change.glass === null ? null : (
        <Section title={t('glass.title')}>
          <BreakGlassState glass={change.glass} />
        </Section>
      )}
      <Decision change={change} lastResult={lastResult} />
      <BreakGlass change={change} lastResult={lastResult} />
    </PageFrame>
  );
}

type PartProps = Pick<Props, 'change' | 'lastResult'>;
/** Which of the two forms was sent: they stand on one page. */
const isGlass = (lastResult: FormResult | undefined) => lastResult?.submission.fields.includes('hours') === true;

function Decision({ change, lastResult }: PartProps) {
  const { t } = useTranslation('control');
  const { t: approvals } = useTranslation('approvals');
  const { status } = change;
  const open = status === 'pending' || status === 'emergency';
  const sent = isGlass(lastResult) ? undefined : lastResult;
  return (
    <Section title={t('page.decision')}>
      {change.votes.length === 0 ? null : <ApprovalVotes votes={change.votes} />}
      {change.votes.length === 0 && change.glass === null ? null : (
        <p className="mt-3 mb-4">
          <Link className="text-link py-0.5" to={href('/dashboard/changes/:change/record', { change: change.id })}>
            {approvals('page.record')}
          </Link>
        </p>
      )}
      {open ? <Deciders names={change.deciders} /> : change.glass === null ? <Notice kind="info" title={t(CLOSED[status])} /> : null}
      {open && change.refusal !== null ? (
        <div className="mt-4">
          <Notice kind="info" title={t(`refusal.${change.refusal}`)} />
        </div>
      ) : null}
      {/* Typed values stay, even where someone else was quicker. */}
      {(open && change.refusal === null) || sent !== undefined ? (
        <ControlVoteForm change={change.id} digest={change.digest} ways={change.ways} emergency={change.glass !== null} lastResult={sent} />
      ) : null}
    </Section>
  );
}

/** For whoever could ask for such a change. Folded, since a second person is the rule. */
function BreakGlass({ change, lastResult }: PartProps) {
  const { t } = useTranslation('control');
  const sent = isGlass(lastResult) ? lastResult : undefined;
  const { glassRefusal } = change;
  // Nothing is offered that the database would refuse: a change that cannot be undone, or a thing that has had its day.
  if (sent === undefined && glassRefusal !== null) return null;
  return (
    <details className="mt-8" open={sent !== undefined}>
      <summary className="text-link inline-block">{t('glass.title')}</summary>
      <p className="mt-3 max-w-measure">{t('glass.text')}</p>
      <BreakGlassForm change={change.id} digest={change.digest} ways={change.ways} lastResult={sent} />
    </details>
  );
}

const CLOSED = {
  approved: 'closed.approved',
  rejected: 'closed.rejected',
  expired: 'closed.expired',
  withdrawn: 'closed.withdrawn',
} as const;

function Deciders({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('control');
  if (names.length === 0) return <Notice kind="attention" title={t('page.nobody')} />;
  return (
    <p className="text-muted">
      {t('page.deciders')} <bdi>{names.join(', ')}</bdi>
    </p>
  );
}

function Typed({ text }: { text: string }) {
  return (
    <span dir="auto" className="block max-w-measure text-as-parent break-words whitespace-pre-wrap">
      {text}
    </span>
  );
}
