import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { drawValue } from '#app/components/value/draw-value.server.ts';
import type { DrawnValue } from '#app/components/value/drawn-value.ts';
import { cutFrames } from '#app/components/value/shown-frames.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import { readFrames } from '#app/engine/connections/frames.ts';
import { loadRunStep, type RunStep } from '#app/features/runs/load-run-steps.server.ts';
import type { ShownStep } from '#app/features/runs/panel/shown-step.ts';
import type { TracePlace, ValueName } from '#app/features/runs/trace/trace-place.ts';

type Context = Readonly<RouterContextProvider>;
type PanelStep = { step: RunStep; frames: Json | null };

/** The selected step; null: none is, or the run has not come to it. Frames are for those who may call things for a test. */
export async function loadPanelStep(
  context: Context,
  db: Db,
  run: { id: string; status: RunStatus },
  place: TracePlace,
): Promise<PanelStep | null> {
  if (place.step === null) return null;
  const step = await loadRunStep(db, run, place.step);
  if (step === undefined) return null;
  if (!can(context.get(memberContext).member.roles, 'authorWorkflow')) return { step, frames: null };
  const row = await db
    .selectFrom('quorate.steps')
    .where('run_id', '=', run.id)
    .where('path', '=', place.step)
    .select('frames')
    .executeTakeFirst();
  return { step, frames: row?.frames ?? null };
}

/** A value with the part open that the place names. */
export function drawn(value: Json | null, of: ValueName, { value: opened }: TracePlace): DrawnValue | null {
  return value === null ? null : drawValue(value, opened?.of === of ? opened : undefined);
}

/** The same in the reader's language, with no value longer than a page can bear. */
export function shownStep(context: Context, found: PanelStep | null, place: TracePlace): ShownStep | null {
  if (found === null) return null;
  const { input, output, ...step } = inReadersLanguage(context, found.step);
  const frames = readFrames(found.frames);
  return {
    ...step,
    input: drawn(input, 'input', place),
    output: drawn(output, 'output', place),
    frames: { kept: frames.length, shown: place.frames ? cutFrames(frames, valueCutter()) : null },
  };
}
