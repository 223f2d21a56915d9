import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { MOST_SELECTED } from '#app/components/list/selection.tsx';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Member } from '#app/contracts/principals.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { failedStepOf } from '#app/features/runs/failed-step.ts';
import { readRunFilter } from '#app/features/runs/list/read-run-filter.ts';
import { runsUrl } from '#app/features/runs/list/run-filter.ts';
import { SEVERAL_ACTS, type SeveralAct } from '#app/features/runs/several/several-acts.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Why a run is left as it is. */
export type LeftOut = 'ended' | 'ending' | 'notFailed' | 'notYours' | 'workflowGone';
/** `step`: the path from which it is tried again. `key`: so that the form, posted twice, starts it once. */
export type SelectedRun = {
  id: string;
  workflow: string;
  status: RunStatus;
  createdAt: string;
  step: string | null;
  leftOut: LeftOut | null;
  key: string;
};

/** The page before something is done with several runs. Answers 400 where none was selected. */
export async function loadSeveralScreen(context: Readonly<RouterContextProvider>, url: URL) {
  const act = actOf(url);
  const runs = inReadersLanguage(context, await readSelected(context, act, url.searchParams.getAll('run')));
  const back = runsUrl(readRunFilter(url.searchParams).filter);
  return data({ act, runs, back }, { status: runs.length === 0 ? 400 : 200 });
}
export type LoadedSeveral = Awaited<ReturnType<typeof loadSeveralScreen>>['data'];

export function actOf(url: URL): SeveralAct {
  const act = z.enum(SEVERAL_ACTS).safeParse(url.searchParams.get('do'));
  if (!act.success) throw new AppError('not_found');
  return act.data;
}

/** Those of the runs that the member sees, the newest first, with what is left out and why. */
export async function readSelected(
  context: Readonly<RouterContextProvider>,
  act: SeveralAct,
  ids: readonly string[],
): Promise<SelectedRun[]> {
  const { member, read } = context.get(memberContext);
  const { newId } = context.get(servicesContext);
  const wanted = [...new Set(ids.filter((id) => UUID.test(id)))].slice(0, MOST_SELECTED);
  if (wanted.length === 0) return [];
  const { rows, steps } = await read(async (db) => ({
    rows: await db
      .selectFrom('quorate.runs as r')
      .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
      .where('r.id', 'in', wanted)
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .select(['r.id', 'r.status', 'r.created_at', 'r.initiator_id', 'r.cancel_requested_at', 'a.name', 'a.kind', 'a.deleted_at'])
      .execute(),
    steps: act === 'retry' ? await readOuterSteps(db, wanted) : [],
  }));
  const stepsOf = Map.groupBy(steps, ({ run_id }) => run_id);
  return rows.map((row) => {
    const step = failedStepOf({ status: row.status, steps: stepsOf.get(row.id) ?? [] })?.path ?? null;
    const left = act === 'cancel' ? notCancelled(row, member) : notRetried(row, step);
    return {
      id: row.id,
      workflow: row.name,
      status: row.status,
      createdAt: row.created_at.toISOString(),
      step,
      leftOut: left,
      key: newId(),
    };
  });
}

/** The steps of runs outside loops, in the order of their journals. */
function readOuterSteps(db: Db, runs: readonly string[]) {
  return db
    .selectFrom('quorate.steps')
    .where('run_id', 'in', runs)
    .where('within', 'is', null)
    .where('item_index', 'is', null)
    .orderBy('position')
    .select(['run_id', 'path', 'kind', 'status'])
    .execute();
}

type Row = { status: RunStatus; initiator_id: string; cancel_requested_at: Date | null; kind: string; deleted_at: Date | null };

function notCancelled({ status, cancel_requested_at, initiator_id }: Row, { userId, roles }: Member): LeftOut | null {
  if (isTerminalRunStatus(status)) return 'ended';
  if (cancel_requested_at !== null) return 'ending';
  return initiator_id === userId || roles.includes('builder') || roles.includes('admin') ? null : 'notYours';
}

function notRetried({ status, kind, deleted_at }: Row, step: string | null): LeftOut | null {
  if (status !== 'failed' || step === null) return 'notFailed';
  return deleted_at !== null || kind === 'inspection' || kind === 'gateway' ? 'workflowGone' : null;
}
