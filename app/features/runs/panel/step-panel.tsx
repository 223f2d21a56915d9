import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { ApprovalCard } from '#app/components/data/approval-card.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { repetitionsOf, STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import { useNamed } from '#app/components/text/named.ts';
import { Badge } from '#app/components/ui/badge.tsx';
import { DrawnValueView } from '#app/components/value/drawn-value-view.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { FrameList } from '#app/components/value/frame-list.tsx';
import { DryNote, dryOf } from '#app/features/runs/dry-note.tsx';
import { itemsAddress } from '#app/features/runs/items/item-address.ts';
import { ItemCounts } from '#app/features/runs/items/item-counts.tsx';
import { PanelPart } from '#app/features/runs/panel/panel-part.tsx';
import type { ShownStep } from '#app/features/runs/panel/shown-step.ts';
import { Attempts, Candidates, PROTOCOLS, StepFacts } from '#app/features/runs/panel/step-facts.tsx';
import { StepFile } from '#app/features/runs/step-file.tsx';
import { PANEL_CLOSED, PANEL_ID, type TracePlace, traceAddress, valueAddresses } from '#app/features/runs/trace/trace-place.ts';
import { TRACE_ID } from '#app/features/runs/trace/trace-workbench.tsx';
import { valueAddress } from '#app/features/runs/value-address.ts';

type Props = {
  step: ShownStep;
  run: string;
  place: TracePlace;
  /** The page's own address. */
  base: string;
  /** The ended run that may continue from here. */
  againFrom: string | null;
  /** Whether it may continue with other data. */
  mayChange?: boolean;
  /** The proof in the panel. */
  proof: ReactNode;
};

/** One step of a run: what came of it and why, its values, attempts, frames and proof. */
export function StepPanel({ step, run, place, base, againFrom, mayChange = false, proof }: Props) {
  const { t } = useTranslation('runs');
  const { t: flow } = useTranslation('flow');
  const { icon: Icon, kind } = STEP_PRESENTATIONS[step.kind];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <header className="grid gap-1.5">
        <div className="flex items-start justify-between gap-3">
          <h2 className="flex min-w-0 items-start gap-2 text-lg leading-snug font-semibold">
            <Icon aria-hidden="true" className="mt-1 size-5 shrink-0 text-muted" strokeWidth={1.75} />
            <bdi className="min-w-0 break-words">{step.name}</bdi>
          </h2>
          <a
            href={`${traceAddress(base, { ...place, step: null, ...PANEL_CLOSED })}#${TRACE_ID}`}
            className="text-link shrink-0 py-1 text-sm"
          >
            {t('panel.close')}
          </a>
        </div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <StatusWord status={step.status} />
          <span className="text-muted">{kind(flow)}</span>
          {step.protocol !== null && <Badge tone="accent">{PROTOCOLS[step.protocol]}</Badge>}
        </p>
      </header>
      <WhatHappened step={step} run={run} />
      {step.file && <StepFile file={step.file} kept={step.reason?.key !== 'documentMadeDry'} />}
      {step.approval && <ApprovalCard {...step.approval} headingLevel={3} />}
      <Links step={step} againFrom={againFrom} mayChange={mayChange} />
      {step.output !== null && (
        <PanelPart title={t('step.output')}>
          <DrawnValueView
            value={step.output}
            label={t('step.outputOf', { name: step.name })}
            file={valueAddress(run, 'output', step.path)}
            {...valueAddresses(base, place, 'output')}
          />
        </PanelPart>
      )}
      {step.input !== null && (
        <PanelPart title={t('step.input')}>
          <DrawnValueView
            value={step.input}
            label={t('step.inputOf', { name: step.name })}
            file={valueAddress(run, 'input', step.path)}
            {...valueAddresses(base, place, 'input')}
          />
        </PanelPart>
      )}
      <StepFacts step={step} />
      <Attempts step={step} />
      <Candidates step={step} />
      <Frames step={step} run={run} place={place} base={base} />
      {proof}
    </div>
  );
}

/** Reason, verdict, failure, and how far the repetitions of a loop are. */
function WhatHappened({ step, run }: Pick<Props, 'step' | 'run'>) {
  const { t } = useTranslation('runs');
  const decision = step.decisions.at(-1);
  const dry = dryOf(step.reason);
  return (
    <div className="grid gap-2">
      {step.error && (
        <p className="font-semibold text-danger-ink">
          <ExplanationText explanation={step.error} />
          {step.unknown && ` ${t('step.unknown')}`}
        </p>
      )}
      {step.reason && (
        <p>
          <ExplanationText explanation={step.reason} />
        </p>
      )}
      {step.reason?.values.changed === true && step.reason.key !== 'stepChanged' && step.reason.key !== 'stepInputChanged' && (
        <p className="text-muted">{t(step.reason.key.startsWith('calledRun') ? 'step.changedBelow' : 'step.changedInput')}</p>
      )}
      {step.reason?.values.leftOut !== undefined && (
        <p className="text-muted">{t('step.leftOut', { names: step.reason.values.leftOut })}</p>
      )}
      {dry !== null && (
        <p className="font-semibold">
          <DryNote dry={dry} />
        </p>
      )}
      {decision !== undefined && decision.verdict !== 'allow' && step.approval === null && (
        <p className="flex flex-wrap items-baseline gap-x-3">
          <StatusWord status={decision.verdict} />
          <ExplanationText explanation={decision.reason} />
        </p>
      )}
      {step.items !== null && <Repetitions step={step} items={step.items} run={run} />}
    </div>
  );
}

function Repetitions({ step, items, run }: { step: ShownStep; items: NonNullable<ShownStep['items']>; run: string }) {
  const named = useNamed();
  const { t } = useTranslation('runs');
  const what = repetitionsOf(step.kind);
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <ItemCounts kind={step.kind} items={items} />
      <Link to={itemsAddress(run, step.path)} aria-label={named(t(`repeated.${what}.show`), step.name)} className="text-link">
        {t(`repeated.${what}.show`)}
      </Link>
      {items.failed === 0 ? null : (
        <Link
          to={itemsAddress(run, step.path, 'failed')}
          aria-label={named(t(`repeated.${what}.showFailed`), step.name)}
          className="text-link"
        >
          {t(`repeated.${what}.showFailed`)}
        </Link>
      )}
    </p>
  );
}

/** Where else one can go from here. */
function Links({ step, againFrom, mayChange }: Pick<Props, 'step' | 'againFrom'> & { mayChange: boolean }) {
  const named = useNamed();
  const { t } = useTranslation('runs');
  const links = [
    ...(step.called === null ? [] : [{ to: href('/dashboard/runs/:run', { run: step.called }), text: t('step.called') }]),
    ...(step.task === null ? [] : [{ to: href('/dashboard/tasks/:task', { task: step.task }), text: t('step.task') }]),
    ...(againFrom === null || step.status === 'skipped'
      ? []
      : [
          {
            to: `${href('/dashboard/runs/:run/again', { run: againFrom })}?${new URLSearchParams({ step: step.path })}`,
            text: t('step.again'),
          },
        ]),
    ...(againFrom === null || step.status === 'skipped' || !mayChange
      ? []
      : [
          {
            to: `${href('/dashboard/runs/:run/change', { run: againFrom })}?${new URLSearchParams({ step: step.path })}`,
            text: t('step.change'),
          },
        ]),
  ];
  if (links.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {links.map(({ to, text }) => (
        <li key={text}>
          <Link to={to} aria-label={named(text, step.name)} className="text-link inline-block py-0.5">
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The frames of a call that were kept, once they are asked for. */
function Frames({ step, run, place, base }: Pick<Props, 'step' | 'run' | 'place' | 'base'>) {
  const { t } = useTranslation('runs');
  const { kept, shown } = step.frames;
  if (kept === 0) return null;
  return (
    <PanelPart title={t('frames.title')}>
      {shown === null ? (
        <a href={`${traceAddress(base, { ...place, step: step.path, frames: true })}#${PANEL_ID}`} className="text-link">
          {t('frames.show', { number: String(kept) })}
        </a>
      ) : (
        <FrameList frames={shown} file={valueAddress(run, 'frames', step.path)} narrow />
      )}
    </PanelPart>
  );
}
