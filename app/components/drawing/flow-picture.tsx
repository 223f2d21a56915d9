import type { TFunction } from 'i18next';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { type FlowPlaces, placesOf } from '#app/components/drawing/flow-places.ts';
import { branchWords, isApart, STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import { useFollowedLinks } from '#app/components/live/followed-links.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { type FlowBranch, type FlowStep, placeName } from '#app/domain/workflows/flow-layout.ts';
import { cleanupOf, withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import type { WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';
import ArrowUpDown from '~icons/arrow-up-down';
import Minus from '~icons/minus';
import Pencil from '~icons/pencil';
import Plus from '~icons/plus';

/**
 * So many cards have the router ask for the routes that they lead to (`data-discover`). It puts all their addresses into one query; where they
 * are more than an address holds it asks for nothing, and gathers all links of the page again after each change of it: 11 ms with 200 steps.
 */
const MOST_ASKED_FOR = 40;

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
type Drawn = Omit<Props, 'label' | 'steps'> & { places: FlowPlaces; t: TFunction<'flow'> };

/**
 * A workflow as a picture, drawn by the server: a nested list of cards for everyone, placed over lines where there is room
 * (`flow-picture.css`). In a run each card says what its step is in.
 */
export function FlowPicture({ steps: given, label, ...shown }: Props) {
  const { t } = useTranslation('flow');
  // The links are plain ones: the router's own take half the time of drawing a large flow, which has 400.
  const follow = useFollowedLinks({ preventScrollReset: true });
  const steps = titled(given, t);
  if (steps.length === 0) return <p className="text-muted">{t('empty')}</p>;
  const places = placesOf(steps);
  const { canvas, drawings, dots } = places;
  return (
    <div className="flow scroll-edges rounded-lg border border-line bg-surface p-3">
      <ScrollGroup label={label} className="overflow-x-auto">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed; here they are only followed */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link clicks it */}
        <div className="flow-canvas" style={canvas} onClick={follow}>
          {drawings.map((drawing) => (
            <Lines key={drawing.size} {...drawing} />
          ))}
          <Dot style={dots.start} />
          <Steps steps={steps} prefix="" drawn={{ ...shown, places, t }} />
          <Dot style={dots.end} />
          <Dot style={dots.cleanupStart} apart />
          <Dot style={dots.cleanupEnd} apart />
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
          ...(['items', 'rounds'].includes(STEP_PRESENTATIONS[step.kind].holds ?? '') && { repeats: true as const }),
          branches: step.branches.map((branch) => {
            const title = branchWords(step, branch, t);
            return {
              ...branch,
              ...(title === branch.label ? {} : { title }),
              ...(isApart(step, branch) && { apart: true as const }),
              steps: titled(branch.steps, t),
            };
          }),
        },
  );
}

function Lines({ size, width, height, frames, lines, apart }: FlowPlaces['drawings'][number]) {
  return (
    <svg
      aria-hidden="true"
      className="flow-lines"
      data-rows={size}
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height="100%"
      preserveAspectRatio="none"
    >
      {frames.map((frame) => (
        <rect key={`${frame.x} ${frame.y}`} className="flow-frame" {...frame} rx={10} />
      ))}
      <path d={lines} />
      {apart !== '' && <path className="flow-apart" d={apart} />}
    </svg>
  );
}

/** The start or the end of a way through the flow. */
function Dot({ style, apart = false }: { style: CSSProperties | null; apart?: boolean }) {
  if (style === null) return null;
  return (
    <span
      aria-hidden="true"
      className={`flow-dot size-6 rounded-full border-2 border-edge bg-raised ${apart ? 'border-dashed' : ''}`}
      style={style}
    />
  );
}

function Steps({ steps, prefix, drawn }: { steps: readonly FlowStep[]; prefix: string; drawn: Drawn }) {
  const cleanup = prefix === '' ? cleanupOf(steps) : undefined;
  const ordinary = cleanup === undefined ? steps : withoutCleanup(steps);
  return (
    <ol className="flow-steps">
      {ordinary.map((step, index) => (
        <StepItem key={step.id} step={step} prefix={prefix} drawn={drawn}>
          <AddHere container={prefix} steps={ordinary} index={index} drawn={drawn} />
        </StepItem>
      ))}
      {drawn.addAt !== undefined && (
        <li>
          <AddHere container={prefix} steps={ordinary} index={ordinary.length} drawn={drawn} />
        </li>
      )}
      {cleanup !== undefined && <StepItem step={cleanup} prefix={prefix} drawn={drawn} apart />}
    </ol>
  );
}

type ItemProps = { step: FlowStep; prefix: string; drawn: Drawn; apart?: boolean; children?: ReactNode };

function StepItem({ step, prefix, drawn, apart = false, children }: ItemProps) {
  const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
  return (
    <li data-apart={apart || undefined}>
      {children}
      <Card step={step} path={path} drawn={drawn} />
      {step.branches?.map((branch) => (
        <Branch key={branch.label} step={step} branch={branch} path={`${path}/${branch.label}`} drawn={drawn} />
      ))}
    </li>
  );
}

type Place = { container: string; steps: readonly FlowStep[]; index: number; drawn: Drawn };

/** A place between two steps, or behind the last one. */
function AddHere({ container, steps, index, drawn }: Place) {
  const { t } = drawn;
  const style = drawn.places.places.get(placeName(container, index));
  const href = drawn.addAt?.(container, steps.slice(0, index));
  if (href === undefined || style === undefined) return null;
  const before = steps[index]?.name;
  return (
    // biome-ignore lint/a11y/useAnchorContent: it has a name; the plus sign is drawn by the style sheet
    <a
      href={href}
      // All places have one address; they differ in its query.
      data-discover={container === '' && index === 0 ? 'true' : undefined}
      className="flow-add"
      style={style}
      aria-current={href === drawn.current ? 'true' : undefined}
      aria-label={before === undefined ? t('addLast') : t('addBefore', { name: before })}
    />
  );
}

type BranchProps = { step: FlowStep; branch: FlowBranch; path: string; drawn: Drawn };

function Branch({ step, branch, path, drawn }: BranchProps) {
  const { t } = drawn;
  const style = drawn.places.labels.get(path);
  if (style === undefined) return null;
  const label = branch.title ?? branch.label;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a set of fields
    <div
      role="group"
      aria-label={t('branchOf', { step: step.name, label })}
      className="flow-branch"
      data-dashed={step.repeats || branch.apart}
    >
      <span
        className={`flow-label ${branch.title === undefined ? '' : 'flow-label-in-words'} rounded-full border border-line px-1.5`}
        style={style}
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
  const { t, states, changes, linkTo, current, places } = drawn;
  const style = places.cards.get(path);
  if (style === undefined) return null;
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
    style,
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
  return (
    <a href={href} data-discover={href.startsWith('#') || places.cards.size > MOST_ASKED_FOR ? undefined : 'true'} {...card}>
      {inside}
    </a>
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
