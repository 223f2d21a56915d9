import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { Timeline, type TimelineItem } from '#app/components/data/timeline.tsx';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import { STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { useRunChanges } from '#app/components/live/use-run-changes.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { JsonView } from '#app/components/value/json-view.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { cleanupOf } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { askAddress } from '#app/features/runs/ask-address.ts';
import type { ShownRun, ShownStep } from '#app/features/runs/cut-run.ts';
import { failedStepOf } from '#app/features/runs/failed-step.ts';
import { RunStepCard, stepAnchor } from '#app/features/runs/run-step-card.tsx';
import { usageFacts } from '#app/features/runs/usage-facts.ts';
import { valueAddress } from '#app/features/runs/value-address.ts';

type Props = { run: ShownRun; halted: boolean; mayCancel: boolean; mayProve: boolean; mayAuthor: boolean };

/** A live run: its state, who must act, every step with its reason, and the proof once it is closed. */
export function RunPage({ run, halted, mayCancel, mayProve, mayAuthor }: Props) {
  const { t } = useTranslation('runs');
  const over = isTerminalRunStatus(run.status);
  const cleanup = cleanupOf<ShownStep>(run.steps);
  const isCleanup = (path: string) => cleanup !== undefined && `${path}/`.startsWith(`${cleanup.path}/`);
  useRunChanges(run.id, !over);
  return (
    <PageFrame
      title={t('run.title', { name: run.workflow.name })}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        {
          label: run.workflow.name,
          to: run.workflow.inspection
            ? href('/dashboard/dev-console/inspector/:run', { run: run.id })
            : run.workflow.agent
              ? href('/dashboard/agents/authored/:agent', { agent: run.workflow.id })
              : href('/dashboard/workflows/:workflow', { workflow: run.workflow.id }),
        },
      ]}
      actions={<RunActions run={run} mayCancel={mayCancel} />}
    >
      <div className="grid gap-6">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-lg" role="status">
          <StatusWord status={run.status} />
          {run.mode === 'test' && <Badge tone="info">{run.trial === 'dry' ? t('run.dry') : t('run.test')}</Badge>}
          {run.cancelRequested && !over && <span className="text-base text-muted">{t('run.cancelling')}</span>}
        </p>
        <RunNotices run={run} halted={halted} />
        <RunFacts run={run} />
      </div>
      {run.flow.length > 0 && (
        <Section title={t('run.flow')}>
          <FlowPicture
            steps={run.flow}
            label={t('run.flow')}
            states={new Map([...run.steps.map(({ path, status }) => [path, status] as const), ...run.loopStates])}
            linkTo={(path) => (run.steps.some((step) => step.path === path) ? `#${stepAnchor(path)}` : undefined)}
          />
        </Section>
      )}
      {over && run.output !== null && (
        <Section title={t('run.result')}>
          <ResultView value={run.output} run={run.id} />
        </Section>
      )}
      {run.steps.length > 0 && (
        <Section title={t('run.timeline')} description={t('run.timelineHint')}>
          <Timeline items={timelineItems(run.steps)} />
        </Section>
      )}
      <Section title={t('run.steps')}>
        {run.steps.length === 0 ? (
          <EmptyState title={t('run.noSteps')} description={t('run.noStepsHint')} />
        ) : (
          <ol className="grid gap-4">
            {run.steps.map((step) => (
              <RunStepCard
                key={step.path}
                step={step}
                run={run.id}
                againFrom={over && !run.workflow.deleted && !run.workflow.inspection && !isCleanup(step.path) ? run.id : null}
              />
            ))}
          </ol>
        )}
      </Section>
      <Section
        title={t('run.input')}
        actions={mayAuthor && !run.workflow.deleted && !run.workflow.inspection && !run.workflow.agent && <SampleLink run={run} />}
      >
        <ValueView value={run.input} label={t('run.input')} file={valueAddress(run.id, 'input')} />
      </Section>
      {over && <RunProof run={run} mayProve={mayProve} />}
    </PageFrame>
  );
}

function SampleLink({ run }: { run: ShownRun }) {
  const { t } = useTranslation('runs');
  const samples = href('/dashboard/workflows/:workflow/edit/samples', { workflow: run.workflow.id });
  return (
    <ButtonLink to={`${samples}?run=${run.id}`} variant="quiet" size="small">
      {t('run.keepSample')}
    </ButtonLink>
  );
}

function RunActions({ run, mayCancel }: Pick<Props, 'run' | 'mayCancel'>) {
  const { t } = useTranslation('runs');
  const over = isTerminalRunStatus(run.status);
  const failedAt = failedStepOf(run);
  return (
    <>
      {!over && (
        <ButtonLink to={href('/dashboard/runs/:run', { run: run.id })} variant="secondary" reloadDocument>
          {t('run.refresh')}
        </ButtonLink>
      )}
      {!over && mayCancel && !run.cancelRequested && (
        <CommandForm hidden={{ intent: 'cancel' }}>
          <Button variant="danger">{t('run.cancel')}</Button>
        </CommandForm>
      )}
      {over && !run.workflow.deleted && !run.workflow.inspection && (
        <>
          {failedAt !== undefined && (
            <ButtonLink
              to={`${href('/dashboard/runs/:run/again', { run: run.id })}?${new URLSearchParams({ step: failedAt.path })}`}
              variant="primary"
            >
              {t('run.retryStep')}
            </ButtonLink>
          )}
          <ButtonLink to={href('/dashboard/runs/:run/again', { run: run.id })}>{t('run.again')}</ButtonLink>
          {!run.workflow.agent && run.trial !== 'step' && hasInput(run) && (
            <ButtonLink
              to={`${href('/dashboard/workflows/:workflow/run', { workflow: run.workflow.id })}?${new URLSearchParams({ run: run.id, ...(run.mode === 'test' ? { mode: run.trial ?? 'test' } : {}) })}`}
            >
              {t('run.changeInput')}
            </ButtonLink>
          )}
          <ButtonLink to={href('/dashboard/runs/:run/compare', { run: run.id })}>{t('run.compare')}</ButtonLink>
        </>
      )}
    </>
  );
}

const hasInput = ({ input }: ShownRun): boolean => !('whole' in input) || Object.keys(input.whole ?? {}).length > 0;

/** Why the run does not go on, or did not. */
function RunNotices({ run, halted }: Pick<Props, 'run' | 'halted'>) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const over = isTerminalRunStatus(run.status);
  const cleanup = cleanupOf<ShownStep>(run.steps);
  const waiting = run.steps.find((step) => step.approval?.status === 'pending');
  const task = over ? undefined : run.steps.find((step) => step.task !== null && step.status === 'waiting');
  const why = waiting?.decisions.at(-1)?.reason ?? waiting?.reason;
  return (
    <>
      {halted && !over && (
        <Notice kind="danger" title={t('run.haltedTitle')}>
          {t('run.haltedText')}
        </Notice>
      )}
      {run.trial === 'dry' && (
        <Notice kind="info" title={t('run.dryTitle')}>
          {t('run.dryText')}
        </Notice>
      )}
      {run.fullAt !== null && !over && (
        <Notice kind="info" title={t('run.fullTitle')}>
          {t(run.fullAt.limit === 'workflow' ? 'run.fullWorkflow' : 'run.fullWorkspace', { runs: run.fullAt.runs })}
        </Notice>
      )}
      {run.inLine !== null && !over && (
        <Notice kind="info" title={t('run.inLineTitle')}>
          <ExplanationText explanation={run.inLine} />
        </Notice>
      )}
      {cleanup?.reason && !over && (
        <Notice kind="attention" title={t('run.cleanupTitle')}>
          <ExplanationText explanation={cleanup.reason} />
        </Notice>
      )}
      {waiting?.approval && (
        <Notice kind="attention" title={t('run.waitingTitle', { step: waiting.name })}>
          <p>{why && <ExplanationText explanation={why} />}</p>
          <Link to={href('/dashboard/approvals/:approval', { approval: waiting.approval.id })}>{t('run.toApproval')}</Link>
        </Notice>
      )}
      {task?.task && (
        <Notice kind="attention" title={t('run.taskTitle', { step: task.name })}>
          <Link to={href('/dashboard/tasks/:task', { task: task.task })}>{t('run.toTask')}</Link>
        </Notice>
      )}
      {run.waitingInLoops > 0 && !over && (
        <Notice kind="attention" title={t('run.waitingInLoops', { number: format.number(run.waitingInLoops) })}>
          <Link to={href('/dashboard/approvals')}>{t('run.toApprovals')}</Link>
        </Notice>
      )}
      <CalledAsks asks={run.calledAsks} />
      {run.error && (
        <Notice kind="danger" title={t('run.failedTitle')}>
          <ExplanationText explanation={run.error} />
        </Notice>
      )}
    </>
  );
}

/** What runs that this one has called wait for: the oldest, and how many more there are. */
function CalledAsks({ asks }: { asks: ShownRun['calledAsks'] }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const [first] = asks;
  if (first === undefined) return null;
  return (
    <Notice kind="attention" title={t(first.what === 'approval' ? 'run.calledApproval' : 'run.calledForm')}>
      <p className="flex flex-wrap gap-x-4 gap-y-2">
        <Link to={askAddress(first)}>{t(first.what === 'approval' ? 'run.toApproval' : 'run.toTask')}</Link>
        <Link to={href('/dashboard/runs/:run', { run: first.of })}>{t('step.called')}</Link>
      </p>
      {asks.length > 1 && <p>{t('run.calledMore', { number: format.number(asks.length - 1) })}</p>}
    </Notice>
  );
}

function RunFacts({ run }: Pick<Props, 'run'>) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const number = run.version;
  return (
    <DescriptionList
      items={[
        { term: t('run.version'), description: number === null ? t('run.draft') : t('run.versionNumber', { number }) },
        { term: t('run.initiator'), description: <bdi>{run.initiator ?? t('run.formerMember')}</bdi> },
        { term: t('run.started'), description: <RelativeTime at={run.createdAt} /> },
        ...(run.finishedAt === null ? [] : [{ term: t('run.finished'), description: <RelativeTime at={run.finishedAt} /> }]),
        ...(run.activeMs === null ? [] : [{ term: t('run.active'), description: format.duration(run.activeMs) }]),
        ...(run.caller === null ? [] : [{ term: t('run.caller'), description: <OtherRun id={run.caller} /> }]),
        ...(run.from === null ? [] : [{ term: t('run.from'), description: <OtherRun id={run.from} /> }]),
        ...usageFacts(t, format, run.usage),
        ...(run.waitingMs > 0 ? [{ term: t('run.waited'), description: format.duration(run.waitingMs) }] : []),
      ]}
    />
  );
}

const OtherRun = ({ id }: { id: string }) => (
  <Link to={href('/dashboard/runs/:run', { run: id })} className="text-link">
    <code>{id}</code>
  </Link>
);

function RunProof({ run, mayProve }: Pick<Props, 'run' | 'mayProve'>) {
  const { t } = useTranslation('runs');
  return (
    <Section title={t('run.proof')} description={t('run.proofHint')}>
      <div className="grid gap-4">
        {run.journalHash !== null && (
          <DescriptionList items={[{ term: t('run.journalHash'), description: <Digest value={run.journalHash} /> }]} />
        )}
        <div className="flex flex-wrap gap-2">
          {run.closingEventId !== null && (
            <ButtonLink to={href('/dashboard/audit/:event', { event: run.closingEventId })}>{t('run.toEvent')}</ButtonLink>
          )}
          {mayProve && (
            <ButtonLink to={href('/dashboard/audit/evidence/run/:run', { run: run.id })} reloadDocument>
              {t('run.evidence')}
            </ButtonLink>
          )}
        </div>
      </div>
    </Section>
  );
}

/** An object with plain values reads best as facts; anything else as JSON. */
function ResultView({ value: shown, run }: { value: NonNullable<ShownRun['output']>; run: string }) {
  const { t } = useTranslation('runs');
  if (!('whole' in shown)) return <ValueView value={shown} label={t('run.result')} file={valueAddress(run, 'output')} />;
  const value = shown.whole;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return (
      <DescriptionList
        items={Object.entries(value).map(([term, part]) => ({
          term,
          description:
            part !== null && typeof part === 'object' ? (
              <JsonView value={part} label={term} />
            ) : (
              <bdi className="whitespace-pre-wrap break-words">{revealedText(String(part))}</bdi>
            ),
        }))}
      />
    );
  }
  return <JsonView value={value} label={t('run.result')} />;
}

function laneOf(step: ShownStep): TimelineItem['lane'] {
  if (step.protocol !== null) return step.protocol;
  const { lane } = STEP_PRESENTATIONS[step.kind];
  if (lane !== null) return lane;
  return step.connection === null ? 'internal' : 'app';
}

function timelineItems(steps: readonly ShownStep[]): TimelineItem[] {
  return (
    steps
      // Steps taken over from an earlier run happened then.
      .filter((step) => step.status !== 'skipped' && step.reason?.key !== 'stepKept')
      .map((step) => ({
        key: step.path,
        label: step.name,
        lane: step.approval !== null ? ('people' as const) : laneOf(step),
        startMs: Date.parse(step.startedAt),
        endMs: step.finishedAt === null ? null : Date.parse(step.finishedAt),
        status: step.status,
        to: `#${stepAnchor(step.path)}`,
        // A step that waited for its approval has a short call at its end, which the wait would hide.
        idle: STEP_PRESENTATIONS[step.kind].idle || step.approval !== null,
      }))
  );
}
