import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { BreakGlassMark } from '#app/components/data/break-glass-mark.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WatchButton } from '#app/components/data/watch-button.tsx';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { askAddress } from '#app/features/runs/ask-address.ts';
import type { LoadedRun } from '#app/features/runs/load-screens.server.ts';
import { PanelPart } from '#app/features/runs/panel/panel-part.tsx';
import { RunPanel } from '#app/features/runs/panel/run-panel.tsx';
import type { ShownStep } from '#app/features/runs/panel/shown-step.ts';
import { StepPanel } from '#app/features/runs/panel/step-panel.tsx';
import type { ShownRun } from '#app/features/runs/shown-run.server.ts';
import { RunTrace } from '#app/features/runs/trace/run-trace.tsx';
import { PANEL_CLOSED, PANEL_ID, type TracePlace, traceAddress } from '#app/features/runs/trace/trace-place.ts';
import { TraceWorkbench } from '#app/features/runs/trace/trace-workbench.tsx';
import { usePartialTexts } from '#app/features/runs/writing/use-partial-texts.ts';
import { WritingNow } from '#app/features/runs/writing/writing-now.tsx';

/** A live run: its state, who must act, every step over time and each with its reason, and the proof once it is closed. */
export function RunPage(loaded: LoadedRun) {
  const { run, trace, place, selected, texts, question, watched, halted, mayCancel, mayProve, mayAuthor } = loaded;
  const { t } = useTranslation('runs');
  const format = useFormats();
  const over = isTerminalRunStatus(run.status);
  const base = href('/dashboard/runs/:run', { run: run.id });
  const writing = usePartialTexts(run.id, !over, texts).filter(
    ({ path }) => selected === null || `${path}/`.startsWith(`${selected.path}/`),
  );
  const proof = over ? <RunProof run={run} step={selected} mayProve={mayProve} /> : null;
  return (
    <PageFrame
      title={format.runName({ ...run, workflow: run.workflow.name })}
      wide
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        {
          label: run.workflow.name,
          to: run.workflow.inspection
            ? href('/dashboard/dev-console/inspector/:run', { run: run.id })
            : run.workflow.agent
              ? href('/dashboard/agents/authored/:agent', { agent: run.workflow.id })
              : run.workflow.gateway
                ? href('/dashboard/plugins/gateways/:gateway', { gateway: run.workflow.id })
                : href('/dashboard/workflows/:workflow', { workflow: run.workflow.id }),
        },
      ]}
      actions={<RunActions run={run} watched={watched} mayCancel={mayCancel} />}
    >
      <div className="grid gap-6">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-lg" role="status">
          <StatusWord status={run.status} />
          {run.mode === 'test' && <Badge tone="info">{run.trial === 'dry' ? t('run.dry') : t('run.test')}</Badge>}
          {run.cancelRequested && !over && <span className="text-base text-muted">{t('run.cancelling')}</span>}
        </p>
        {question !== null && !over && (
          <Notice kind="attention" title={t('run.questionTitle')}>
            <Link to={href('/dashboard/approvals/:approval', { approval: question })}>{t('run.toQuestion')}</Link>
          </Notice>
        )}
        <BreakGlassMark {...loaded.breakGlass} />
        <RunNotices run={run} halted={halted} />
      </div>
      <TraceWorkbench
        selected={selected}
        whole={t('panel.run')}
        closed={traceAddress(base, { ...place, step: null, ...PANEL_CLOSED })}
        picture={run.flow.length > 0 ? <RunPicture run={run} place={place} base={base} /> : null}
        trace={<RunTrace trace={trace} place={place} base={base} />}
        panel={
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <WritingNow texts={writing} />
            {selected === null ? (
              <RunPanel run={run} place={place} base={base} mayAuthor={mayAuthor} proof={proof} />
            ) : (
              <StepPanel
                step={selected}
                run={run.id}
                place={place}
                base={base}
                againFrom={over && mayStartAgain(run) && !isCleanup(run, selected.path) ? run.id : null}
                mayChange={mayAuthor}
                proof={proof}
              />
            )}
          </div>
        }
      />
    </PageFrame>
  );
}

/** A single call, of a gateway or in the Dev Console, is made again by whoever made it. */
const mayStartAgain = ({ workflow }: ShownRun) => !workflow.deleted && !workflow.inspection && !workflow.gateway;

const isCleanup = ({ cleanup }: ShownRun, path: string) => cleanup !== null && `${path}/`.startsWith(`${cleanup}/`);

type AtPlace = { place: TracePlace; base: string };

/** The whole flow. A card selects its step, and inside a loop the loop. */
function RunPicture({ run, place, base }: AtPlace & { run: ShownRun }) {
  const { t } = useTranslation('runs');
  const states = new Map([...run.states, ...run.loopStates]);
  const begun = new Set(run.states.map(([path]) => path));
  const stepOf = (path: string): string | undefined => {
    if (begun.has(path)) return path;
    const around = path.lastIndexOf('/');
    return around > 0 ? stepOf(path.slice(0, around)) : undefined;
  };
  return (
    <section aria-label={t('run.flow')}>
      <FlowPicture
        steps={run.flow}
        label={t('run.flow')}
        states={states}
        current={place.step ?? undefined}
        linkTo={(path) => {
          const step = states.has(path) ? stepOf(path) : undefined;
          return step === undefined ? undefined : `${traceAddress(base, { ...place, step, page: null, ...PANEL_CLOSED })}#${PANEL_ID}`;
        }}
      />
    </section>
  );
}

function RunActions({ run, watched, mayCancel }: { run: ShownRun; watched: boolean; mayCancel: boolean }) {
  const { t } = useTranslation('runs');
  const over = isTerminalRunStatus(run.status);
  return (
    <>
      {/* Nothing more happens to one that has ended. */}
      {(!over || watched) && <WatchButton kind="run" id={run.id} watched={watched} back={href('/dashboard/runs/:run', { run: run.id })} />}
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
      {run.mode === 'live' && (
        <ButtonLink
          variant="quiet"
          to={`${href('/dashboard/policies/compliance/incidents/new')}?${new URLSearchParams({ run: String(run.number) })}`}
        >
          {t('run.incident')}
        </ButtonLink>
      )}
      {over && mayStartAgain(run) && (
        <>
          {run.retryAt !== null && (
            <ButtonLink
              to={`${href('/dashboard/runs/:run/again', { run: run.id })}?${new URLSearchParams({ step: run.retryAt })}`}
              variant="primary"
            >
              {t('run.retryStep')}
            </ButtonLink>
          )}
          <ButtonLink to={href('/dashboard/runs/:run/again', { run: run.id })}>{t('run.again')}</ButtonLink>
          {!run.workflow.agent && run.trial !== 'step' && run.hasInput && (
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

/** Why the run does not go on, or did not. */
function RunNotices({ run, halted }: { run: ShownRun; halted: boolean }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const over = isTerminalRunStatus(run.status);
  const { waiting, asking } = run;
  return (
    <>
      {halted && !over && (
        <Notice kind="danger" title={t('run.haltedTitle')}>
          {t('run.haltedText')}
        </Notice>
      )}
      {run.noSubject && (
        <Notice kind="info" title={t('run.noSubject')}>
          <ExplanationText explanation={run.noSubject} />
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
      {run.ending && !over && (
        <Notice kind="attention" title={t('run.cleanupTitle')}>
          <ExplanationText explanation={run.ending} />
        </Notice>
      )}
      {waiting && (
        <Notice kind="attention" title={t('run.waitingTitle', { step: waiting.name })}>
          <p>
            <ExplanationText explanation={waiting.reason} /> <StatusWord status={waiting.risk} />
          </p>
          <Link to={href('/dashboard/approvals/:approval', { approval: waiting.approval })}>{t('run.toApproval')}</Link>
        </Notice>
      )}
      {asking && (
        <Notice kind="attention" title={t('run.taskTitle', { step: asking.name })}>
          <Link to={href('/dashboard/tasks/:task', { task: asking.task })}>{t('run.toTask')}</Link>
        </Notice>
      )}
      {run.signIns.map(({ connection, host, person }) => (
        <Notice
          key={`${connection} ${person}`}
          kind="attention"
          title={person === null ? t('run.signInTitle', { host }) : t('run.signInOf', { name: person, host })}
        >
          <Link to={href('/dashboard/plugins/:connection/sign-in', { connection })}>{t('run.toSignIn')}</Link>
        </Notice>
      ))}
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

const CALLED_WORDS = {
  approval: { title: 'calledApproval', link: 'toApproval' },
  form: { title: 'calledForm', link: 'toTask' },
  signIn: { title: 'calledSignIn', link: 'toSignIn' },
} as const;

/** The oldest decision, form or sign-in that a called run waits for, and how many more there are. */
function CalledAsks({ asks }: { asks: ShownRun['calledAsks'] }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const [first] = asks;
  if (first === undefined) return null;
  return (
    <Notice kind="attention" title={t(`run.${CALLED_WORDS[first.what].title}`)}>
      <p className="flex flex-wrap gap-x-4 gap-y-2">
        <Link to={askAddress(first)}>{t(`run.${CALLED_WORDS[first.what].link}`)}</Link>
        <Link to={href('/dashboard/runs/:run', { run: first.of })}>{t('step.called')}</Link>
      </p>
      {asks.length > 1 && <p>{t('run.calledMore', { number: format.number(asks.length - 1) })}</p>}
    </Notice>
  );
}

/** The hashes of the selected step, and what proves the whole run. */
function RunProof({ run, step, mayProve }: { run: ShownRun; step: ShownStep | null; mayProve: boolean }) {
  const { t } = useTranslation('runs');
  const digests = [
    { term: t('step.inputDigest'), value: step?.inputDigest ?? null },
    { term: t('step.outputDigest'), value: step?.outputDigest ?? null },
    { term: t('run.journalHash'), value: run.journalHash },
  ].flatMap(({ term, value }) => (value === null ? [] : [{ term, description: <Digest value={value} /> }]));
  return (
    <PanelPart title={t('run.proof')}>
      <p className="text-sm text-muted">{t('run.proofHint')}</p>
      {digests.length > 0 && <DescriptionList narrow items={digests} />}
      <div className="mt-1 flex flex-wrap gap-2">
        {run.closingEventId !== null && (
          <ButtonLink size="small" to={href('/dashboard/audit/:event', { event: run.closingEventId })}>
            {t('run.toEvent')}
          </ButtonLink>
        )}
        {mayProve && (
          <ButtonLink size="small" to={href('/dashboard/audit/evidence/run/:run', { run: run.id })} reloadDocument>
            {t('run.evidence')}
          </ButtonLink>
        )}
      </div>
    </PanelPart>
  );
}
