import { data, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { findRunByRequestKey, startRun } from '#app/engine/runs/start-run.ts';
import { loadRunAgain } from '#app/features/runs/load-again.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Args = { request: Request; params: { run: string }; context: Readonly<RouterContextProvider> };

/** Why a run was not started again. */
export type AgainRefusal = 'halted' | 'quota' | 'paused' | 'input';

/** Starts an ended run again as a new one. Posting the same page twice starts it once (`key`). */
export async function runAgainAction({ request, params, context }: Args) {
  const access = context.get(memberContext);
  const { engine, newId } = context.get(servicesContext);
  const form = await request.formData();
  const key = z.uuid().safeParse(form.get('key'));
  if (!key.success || !z.uuid().safeParse(params.run).success) throw new AppError('invalid_input');
  const path = new URL(request.url).searchParams.get('step');
  const { userId, workspace } = access.member;
  const first = await access.read((db) =>
    findRunByRequestKey(db, { workspaceId: workspace.id, initiatorId: userId, requestKey: key.data }),
  );
  if (first !== null) throw redirect(`/dashboard/runs/${first}`, 303);
  try {
    const runId = await access.change(async (db) => {
      const again = await loadRunAgain(db, params.run, path);
      const started = await startRun(
        db,
        { enqueueRun: engine.enqueueRun, newId },
        {
          workspaceId: workspace.id,
          artifactId: again.workflow.id,
          versionId: again.versionId,
          document: again.document,
          mode: again.mode,
          input: again.input,
          initiatorId: userId,
          requestKey: key.data,
          name: again.workflow.name,
          from: { runId: again.runId, path, plan: again.plan },
        },
      );
      return { result: started.runId, event: started.event };
    });
    throw redirect(`/dashboard/runs/${runId}`, 303);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    return data({ refused: refused.key }, { status: refused.status });
  }
}

function refusalOf(error: unknown): { key: AgainRefusal; status: number } | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'halted') return { key: 'halted', status: 423 };
  if (error.code === 'quota_exceeded') return { key: 'quota', status: 402 };
  if (error.values.what === 'paused') return { key: 'paused', status: 409 };
  if (error.code === 'invalid_input') return { key: 'input', status: 400 };
  return null;
}
