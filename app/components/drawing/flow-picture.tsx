import type { TFunction } from 'i18next';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { branchWords, STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import {
  FLOW,
  type FlowBranch,
  type FlowLayout,
  type FlowPoint,
  type FlowStep,
  layoutFlow,
  placeName,
} from '#app/domain/workflows/flow-layout.ts';
import type { WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';
import ArrowUpDown from '~icons/arrow-up-down';
import Minus from '~icons/minus';
import Pencil from '~icons/pencil';
import Plus from '~icons/plus';

/** Lengths of a row for a page beside the sidebar, and for a large screen (sixteenths of a rem). */
const ROWS = { page: 840, large: 1060 } as const;
/** Of the round sign where a step can be added, in sixteenths of a rem. */
const ADD_SIZE = 24;

export type FlowChange = { change: WorkflowChange['change']; word: string };

type Props = {
  steps: readonly FlowStep[];
  /** Names the picture for those who do not see it. */
  label: string;
  /** The state of each step of a run that has begun, by its path. Steps without one are still to come. */
  states?: ReadonlyMap<string, StepStatus>;
  /** How steps differ from those of another version, by their path, each with the word for it. */
  changes?: ReadonlyMap<string, FlowChange>;
  /** The address that a step's card links to. */
  linkTo?: (path: string) => string | undefined;
  /** The path of the step, or the address of the place for a new one, that is open beside the picture. */
  current?: string | undefined;
  /** The address that adds a step to a list, '' or the path of a branch, behind these steps of it; undefined: nothing can be added there. */
  addAt?: (container: string, before: readonly FlowStep[]) => string | undefined;
};
type Drawn = Omit<Props, 'label' | 'steps'> & { page: FlowLayout; large: FlowLayout };

/**
 * A workflow as a picture, drawn by the server: a nested list of cards for everyone, placed over lines where there is room
 * (`flow-picture.css`). In a run each card says what its step is in.
 */
export function FlowPicture({ steps: given, label, ...shown }: Props) {
  const { t } = useTranslation('flow');
  const steps = titled(given, t);
  const drawn = { ...shown, page: layoutFlow(steps, ROWS.page), large: layoutFlow(steps, ROWS.large) };
  const { page, large } = drawn;
  if (steps.length === 0) return <p className="text-muted">{t('empty')}</p>;
  return (
    <div className="flow rounded-lg border border-line bg-surface p-3">
      <ScrollGroup label={label} className="overflow-x-auto">
        <div
          className="flow-canvas"
          style={variables({ mw: page.width / 16, mh: page.height / 16, lw: large.width / 16, lh: large.height / 16 })}
        >
          <Lines layout={page} rows="page" />
          <Lines layout={large} rows="large" />
          <Dot at={[page.start, large.start]} />
          <Steps steps={steps} prefix="" drawn={drawn} />
          <Dot at={[page.end, large.end]} />
        </div>
      </ScrollGroup>
    </div>
  );
}

/** Lists of steps whose label is the same in every document are shown in words, and those of a loop as what repeats. */
function titled(steps: readonly FlowStep[], t: TFunction<'flow'>): FlowStep[] {
  return steps.map((step) =>
    step.branches === undefined
      ? step
      : {
          ...step,
          ...(STEP_PRESENTATIONS[step.kind].holds === 'items' && { repeats: true as const }),
          branches: step.branches.map((branch) => {
            const title = branchWords(step, branch, t);
            return { ...branch, ...(title === branch.label ? {} : { title }), steps: titled(branch.steps, t) };
          }),
        },
  );
}

function Lines({ layout, rows }: { layout: FlowLayout; rows: 'page' | 'large' }) {
  return (
    <svg
      aria-hidden="true"
      className="flow-lines"
      data-rows={rows}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width="100%"
      height="100%"
      preserveAspectRatio="none"
    >
      {layout.frames.map(({ x, y, width, height }) => (
        <rect key={`${x} ${y}`} className="flow-frame" x={x} y={y} width={width} height={height} rx={10} />
      ))}
      <path d={layout.lines.join('')} />
    </svg>
  );
}

/** The start and the end of the flow. */
function Dot({ at: [page, large] }: { at: [{ x: number; y: number }, { x: number; y: number }] }) {
  const corner = ({ x, y }: { x: number; y: number }) => ({ x: x - FLOW.dot, y: y - FLOW.dot });
  return (
    <span
      aria-hidden="true"
      className="flow-dot size-6 rounded-full border-2 border-edge bg-raised"
      style={place(corner(page), corner(large))}
    />
  );
}

function Steps({ steps, prefix, drawn }: { steps: readonly FlowStep[]; prefix: string; drawn: Drawn }) {
  return (
    <ol className="flow-steps">
      {steps.map((step, index) => {
        const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
        return (
          <li key={step.id}>
            <AddHere container={prefix} steps={steps} index={index} drawn={drawn} />
            <Card step={step} path={path} drawn={drawn} />
            {step.branches?.map((branch) => (
              <Branch key={branch.label} step={step} branch={branch} path={`${path}/${branch.label}`} drawn={drawn} />
            ))}
          </li>
        );
      })}
      {drawn.addAt !== undefined && (
        <li>
          <AddHere container={prefix} steps={steps} index={steps.length} drawn={drawn} />
        </li>
      )}
    </ol>
  );
}

type Place = { container: string; steps: readonly FlowStep[]; index: number; drawn: Drawn };

/** A place between two steps, or behind the last one. */
function AddHere({ container, steps, index, drawn }: Place) {
  const { t } = useTranslation('flow');
  const name = placeName(container, index);
  const [page, large] = [drawn.page.places.get(name), drawn.large.places.get(name)];
  const href = drawn.addAt?.(container, steps.slice(0, index));
  if (href === undefined || page === undefined || large === undefined) return null;
  const before = steps[index]?.name;
  const corner = ({ x, y }: FlowPoint) => ({ x: x - ADD_SIZE / 2, y: y - ADD_SIZE / 2 });
  return (
    <Link
      to={href}
      preventScrollReset
      className="flow-add"
      style={place(corner(page), corner(large))}
      aria-current={href === drawn.current ? 'true' : undefined}
      aria-label={before === undefined ? t('addLast') : t('addBefore', { name: before })}
    >
      <Plus aria-hidden="true" className="size-3.5" strokeWidth={2.5} />
    </Link>
  );
}

type BranchProps = { step: FlowStep; branch: FlowBranch; path: string; drawn: Drawn };

function Branch({ step, branch, path, drawn }: BranchProps) {
  const { t } = useTranslation('flow');
  const [page, large] = [drawn.page.labels.get(path), drawn.large.labels.get(path)];
  if (page === undefined || large === undefined) return null;
  const label = branch.title ?? branch.label;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a set of fields
    <div role="group" aria-label={t('branchOf', { step: step.name, label })} className="flow-branch" data-repeats={step.repeats}>
      <span
        className={`flow-label ${branch.title === undefined ? '' : 'flow-label-in-words'} rounded-full border border-line px-1.5`}
        style={{ ...place(page, large), ...variables({ length: page.length / 16 }) }}
        title={branch.when === '' ? undefined : branch.when}
      >
        <bdi>{label}</bdi>
      </span>
      {branch.steps.length === 0 && drawn.addAt === undefined ? (
        <p className="flow-empty text-sm text-muted">{t('emptyBranch')}</p>
      ) : (
        <Steps steps={branch.steps} prefix={path} drawn={drawn} />
      )}
    </div>
  );
}

function Card({ step, path, drawn }: { step: FlowStep; path: string; drawn: Drawn }) {
  const { t } = useTranslation('flow');
  const { states, changes, linkTo, current, page, large } = drawn;
  const [atPage, atLarge] = [page.cards.get(path), large.cards.get(path)];
  if (atPage === undefined || atLarge === undefined) return null;
  const { icon: Icon, kind } = STEP_PRESENTATIONS[step.kind];
  const state = states === undefined ? undefined : (states.get(path) ?? 'pending');
  const href = linkTo?.(path);
  const card = {
    className: 'flow-card',
    'data-kind': step.kind,
    'data-state': state,
    'data-change': changes?.get(path)?.change,
    'data-path': path,
    'aria-current': path === current ? ('true' as const) : undefined,
    style: place(atPage, atLarge),
  };
  const inside = (
    <>
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-(--flow-tone,var(--muted))" strokeWidth={1.75} />
      <span className="min-w-0 grow">
        <span className="sr-only">{kind(t)}: </span>
        <span className="flow-name">
          <bdi>{step.name}</bdi>
        </span>
        {state === undefined ? (
          <span className="flow-note">
            <ChangeWord change={changes?.get(path)} />
            <bdi>{step.note}</bdi>
          </span>
        ) : (
          <span className="flow-note">
            <StatusWord status={state} />
          </span>
        )}
      </span>
    </>
  );
  if (href === undefined) return <div {...card}>{inside}</div>;
  // On the same page the browser goes to the place by itself.
  return href.startsWith('#') ? (
    <a href={href} {...card}>
      {inside}
    </a>
  ) : (
    <Link to={href} preventScrollReset {...card}>
      {inside}
    </Link>
  );
}

/** A sign and a word, so that a change is told without its colour too. */
function ChangeWord({ change }: { change: FlowChange | undefined }) {
  if (change === undefined) return null;
  const Sign = CHANGE_SIGNS[change.change];
  return (
    <span className="flow-change">
      <Sign aria-hidden="true" className="me-1 inline-block size-3.5 align-[-0.2em]" strokeWidth={2.5} />
      {change.word}{' '}
    </span>
  );
}

const CHANGE_SIGNS: Record<WorkflowChange['change'], typeof Plus> = { added: Plus, removed: Minus, changed: Pencil, moved: ArrowUpDown };

const place = (page: { x: number; y: number }, large: { x: number; y: number }) =>
  variables({ mx: page.x / 16, my: page.y / 16, lx: large.x / 16, ly: large.y / 16 });

function variables(values: Record<string, number>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]));
}
