import { sql } from 'kysely';
import { AppError, type ErrorCode } from '#app/domain/errors.ts';
import type { Json } from '#app/domain/tables.ts';
import type { TriggerPrincipal } from '#app/domain/triggers.ts';
import { workflowDocumentSchema } from '#app/domain/workflow.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';
import { startRun } from '#app/engine/runs/start-run.ts';

export type TriggerDeps = Pick<Engine, 'enqueueRun' | 'admitRun'> & { newId(): string };
export type TriggerStart = { input: { [name: string]: Json }; requestKey: string; now: Date; nextAt: Date | null };
/** `refusal`: the error's code, or 'paused'. */
export type TriggerOutcome = { runId: string } | { runId: null; refusal: ErrorCode | 'paused' };

/**
 * Starts a run of a trigger's workflow in the trigger's own transaction, or records why none was started: run or refusal, the time it
 * is due again and the one audit event commit together. Throws where too many runs wait already, as `admitRun` does.
 */
export async function startByTrigger(db: Db, deps: TriggerDeps, trigger: TriggerPrincipal, start: TriggerStart): Promise<TriggerOutcome> {
  const actor = { kind: 'trigger', id: trigger.userId, name: trigger.name } as const;
  const { workspaceId } = trigger;
  try {
    const { runId, event } = await startRun(
      db,
      { ...deps, now: () => start.now },
      {
        workspaceId,
        artifactId: trigger.artifactId,
        versionId: trigger.versionId,
        document: workflowDocumentSchema.parse(trigger.document),
        mode: 'live',
        input: start.input,
        initiatorId: trigger.userId,
        triggerKind: trigger.kind,
        requestKey: start.requestKey,
        name: trigger.artifactName,
      },
    );
    await mark(db, start, runId, null);
    await recordEvent(db, { id: deps.newId(), actor, workspaceId, entry: event });
    return { runId };
  } catch (error) {
    // too many wait: nothing is recorded, so that the trigger is still due, and its caller may send again
    if (!(error instanceof AppError) || error.values.what === 'queue') throw error;
    const refusal = error.values.what === 'paused' ? 'paused' : error.code;
    await mark(db, start, null, refusal);
    await recordEvent(db, {
      id: deps.newId(),
      actor,
      workspaceId,
      entry: { action: 'trigger.refused', resource: { kind: 'trigger', id: trigger.id, name: trigger.name }, payload: { reason: refusal } },
    });
    return { runId: null, refusal };
  }
}

async function mark(db: Db, { now, nextAt }: TriggerStart, runId: string | null, refusal: string | null): Promise<void> {
  await sql`select quorate.mark_trigger(${now}, ${nextAt}, ${runId}, ${refusal})`.execute(db);
}
