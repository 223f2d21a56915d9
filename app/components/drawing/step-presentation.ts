import type { TFunction } from 'i18next';
import type { StepKind } from '#app/contracts/statuses.ts';
import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import { labelInWords } from '#app/domain/workflows/edit/branch-label.ts';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { ON_CANCEL, ON_FAILURE } from '#app/domain/workflows/steps/cleanup-parts.ts';
import type { BranchStep, CallStep, StepOf } from '#app/domain/workflows/steps/step.ts';
import { ON_ERROR } from '#app/domain/workflows/steps/try-labels.ts';
import { spanOf } from '#app/domain/workflows/steps/wait-span.ts';
import Bot from '~icons/bot';
import Braces from '~icons/braces';
import BrainCircuit from '~icons/brain-circuit';
import ClipboardList from '~icons/clipboard-list';
import FileInput from '~icons/file-input';
import FileOutput from '~icons/file-output';
import Globe from '~icons/globe';
import Hourglass from '~icons/hourglass';
import LifeBuoy from '~icons/life-buoy';
import Mail from '~icons/mail';
import Repeat from '~icons/repeat';
import RotateCw from '~icons/rotate-cw';
import Split from '~icons/split';
import Stamp from '~icons/stamp';
import Undo2 from '~icons/undo-2';
import Workflow from '~icons/workflow';
import Wrench from '~icons/wrench';

type Words = TFunction<'flow'>;

/** How screens of every area show a step of one kind. */
type StepPresentation<OneStep> = {
  icon: typeof Bot;
  /** The word for the kind. */
  kind(t: Words): string;
  /** The target of a step: its call, question or expression. */
  target(step: OneStep, t: Words): string;
  /** The same as shortly as a card has room for. */
  note(step: OneStep, t: Words): string;
  /** Whether the target is code. */
  inCode: boolean;
  /** The lane of a run's timeline where no protocol gives it; null: as the connection says. */
  lane: 'people' | 'model' | null;
  /** Nothing is under way in such a step itself: it waits, or its steps have rows of their own. */
  idle: boolean;
  /** Rows of a run below such a step: the document's own steps, the same once for each item or round, or calls that are made again with the step. */
  holds: 'steps' | 'items' | 'rounds' | 'calls' | null;
  /** The words for a list of steps that it holds, by its label, where that is the same in every such step. */
  inside: ((t: Words, label: string) => string) | null;
  /** The lists of steps that run only when something goes wrong, by their labels. */
  apart: readonly string[];
};

function called(step: CallStep, t: Words): string {
  if (step.connection === AUTHORED_AGENTS) return t('ownAgent');
  if (step.capability !== null) return `${step.capability} · ${step.connection ?? ''}`;
  return step.task === '' ? t('noTarget') : t('routed', { task: step.task });
}
const requested = (step: StepOf<'http'>, t: Words) =>
  step.capability === null
    ? step.task || t('noTarget')
    : `${step.capability.toUpperCase()} ${stripMark(step.input.path ?? '')} · ${step.connection ?? ''}`;
const asked = (step: StepOf<'approval' | 'human_task'>) => step.question;
const computed = (step: StepOf<'transform'>) => step.expression;
const listed = (step: StepOf<'for_each'>) => step.items;
const awaited = (step: StepOf<'wait'>, t: Words) => {
  if (step.mode === 'until') return t('waitUntil', { time: stripMark(step.until) });
  if (step.mode === 'event') return t('waitEvent');
  const { amount, unit } = spanOf(step.seconds);
  return t(`waitFor.${unit}`, { count: amount });
};
const started = (step: StepOf<'sub_workflow'>, t: Words) => t(step.workflow === null ? 'noTarget' : 'ownWorkflow');
const sent = (step: StepOf<'message'>, t: Words) => (step.text === '' ? t('noText') : stripMark(step.text));
const made = (step: StepOf<'create_document'>, t: Words) =>
  step.fileName === '' || isExpression(step.fileName) ? t(`documentFormats.${step.format}`) : `${step.fileName}.${step.format}`;
const readFrom = (step: StepOf<'read_document'>, t: Words) => (step.file === '' ? t('noFile') : stripMark(step.file));
const parted = (step: BranchStep, t: Words) => (step.mode === 'choose' ? t('choose') : t('parallel'));
const partedShort = (step: BranchStep, t: Words) => (step.mode === 'choose' ? t('chooseShort') : t('parallelShort'));

const plain = { inCode: false, lane: null, idle: false, holds: null, inside: null, apart: [] };

/** The screens' table of the kinds of step: one line a kind. */
export const STEP_PRESENTATIONS: { readonly [Kind in StepKind]: StepPresentation<StepOf<Kind>> } = {
  tool: { ...plain, icon: Wrench, kind: (t) => t('kinds.tool'), target: called, note: called },
  agent: { ...plain, icon: Bot, kind: (t) => t('kinds.agent'), target: called, note: called, holds: 'calls' },
  http: { ...plain, icon: Globe, kind: (t) => t('kinds.http'), target: requested, note: requested },
  model: { ...plain, icon: BrainCircuit, kind: (t) => t('kinds.model'), target: called, note: called, lane: 'model' },
  approval: { ...plain, icon: Stamp, kind: (t) => t('kinds.approval'), target: asked, note: asked, lane: 'people', idle: true },
  branch: { ...plain, icon: Split, kind: (t) => t('kinds.branch'), target: parted, note: partedShort, idle: true, holds: 'steps' },
  for_each: {
    ...plain,
    icon: Repeat,
    kind: (t) => t('kinds.for_each'),
    target: listed,
    note: listed,
    inCode: true,
    holds: 'items',
    inside: (t) => t('eachItem'),
  },
  repeat: {
    ...plain,
    icon: RotateCw,
    kind: (t) => t('kinds.repeat'),
    target: (step, t) => t('repeatUntil', { condition: stripMark(step.until) }),
    note: (step, t) => t('repeatUntil', { condition: stripMark(step.until) }),
    holds: 'rounds',
    inside: (t) => t('eachRound'),
  },
  wait: { ...plain, icon: Hourglass, kind: (t) => t('kinds.wait'), target: awaited, note: awaited, idle: true },
  try: {
    ...plain,
    icon: LifeBuoy,
    kind: (t) => t('kinds.try'),
    target: (_step, t) => t('tryNote'),
    note: (_step, t) => t('tryNote'),
    idle: true,
    holds: 'steps',
    inside: (t, label) => (label === ON_ERROR ? t('onError') : t('tried')),
    apart: [ON_ERROR],
  },
  cleanup: {
    ...plain,
    icon: Undo2,
    kind: (t) => t('kinds.cleanup'),
    target: (_step, t) => t('cleanupNote'),
    note: (_step, t) => t('cleanupNote'),
    idle: true,
    holds: 'steps',
    inside: (t, label) => (label === ON_FAILURE ? t('onFailure') : t('onCancel')),
    apart: [ON_FAILURE, ON_CANCEL],
  },
  human_task: { ...plain, icon: ClipboardList, kind: (t) => t('kinds.human_task'), target: asked, note: asked, lane: 'people', idle: true },
  sub_workflow: { ...plain, icon: Workflow, kind: (t) => t('kinds.sub_workflow'), target: started, note: started, idle: true },
  message: { ...plain, icon: Mail, kind: (t) => t('kinds.message'), target: sent, note: sent, lane: 'people' },
  create_document: { ...plain, icon: FileOutput, kind: (t) => t('kinds.create_document'), target: made, note: made },
  read_document: {
    ...plain,
    icon: FileInput,
    kind: (t) => t('kinds.read_document'),
    target: readFrom,
    note: readFrom,
    inCode: true,
  },
  transform: { ...plain, icon: Braces, kind: (t) => t('kinds.transform'), target: computed, note: computed, inCode: true },
};

type OfKind<Kind extends StepKind> = StepOf<Kind> & { kind: Kind };

/** The same target, in words. */
export function stepTarget<Kind extends StepKind>(step: OfKind<Kind>, t: Words): string {
  const kind: Kind = step.kind;
  return STEP_PRESENTATIONS[kind].target(step, t);
}

/** The same as shortly as a card has room for. */
export function stepNote<Kind extends StepKind>(step: OfKind<Kind>, t: Words): string {
  const kind: Kind = step.kind;
  return STEP_PRESENTATIONS[kind].note(step, t);
}

/** The word for a step's repetitions: items or rounds. */
export const repetitionsOf = (kind: StepKind): 'items' | 'rounds' => (STEP_PRESENTATIONS[kind].holds === 'rounds' ? 'rounds' : 'items');

/** The words that a picture or an outline shows for a list of steps inside a step. */
export function branchWords(
  { kind }: { kind: StepKind },
  { label, title }: { label: string; title?: string | undefined },
  t: Words,
): string {
  return title ?? STEP_PRESENTATIONS[kind].inside?.(t, label) ?? labelInWords(label);
}

/** Whether a list of steps runs only when something goes wrong. */
export const isApart = ({ kind }: { kind: StepKind }, { label }: { label: string }): boolean =>
  STEP_PRESENTATIONS[kind].apart.includes(label);
