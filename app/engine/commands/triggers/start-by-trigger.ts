import { sql } from 'kysely';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import type { TriggerPrincipal } from '#app/contracts/principals.ts';
import { AppError, type ErrorCode } from '#app/domain/errors.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import { startRun } from '#app/engine/runs/start-run.ts';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** `refusal`: the error's code, or 'paused'. */
export type TriggerOutcome = { runId: string } | { runId: null; refusal: ErrorCode | 'paused' };

/**
 * Starts a run of a trigger's workflow in the trigger's own transaction, or records why none was started: run or refusal, the time it is due
 * again and the one event commit together. Throws where too many runs wait already, as `admitRun` does: then the trigger is still due, and
 * its caller may send again.
 */
export const startByTrigger = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    trigger: z.custom<TriggerPrincipal>(isObject),
    input: z.custom<{ [name: string]: Json }>(isObject),
    requestKey: z.string(),
    nextAt: z.date().nullable(),
  }),
  actions: ['run.started', 'trigger.refused'],
  changes: ['quorate.runs'],
  repeat: 'refused',
  async change(
    { db, engine, newId, now },
    { trigger, input, requestKey, nextAt },
  ): Promise<{ result: TriggerOutcome; event: EventOf<'run.started' | 'trigger.refused'> }> {
    const mark = (runId: string | null, refusal: string | null) =>
      sql`select quorate.mark_trigger(${now()}, ${nextAt}, ${runId}, ${refusal})`.execute(db);
    try {
      const { enqueueRun, admitRun } = engine;
      const { runId, event } = await startRun(
        db,
        { enqueueRun, admitRun, newId, now },
        {
          workspaceId: trigger.workspaceId,
          artifactId: trigger.artifactId,
          versionId: trigger.versionId,
          document: workflowDocumentSchema.parse(trigger.document),
          mode: 'live',
          input,
          initiatorId: trigger.userId,
          triggerKind: trigger.kind,
          requestKey,
          name: trigger.artifactName,
        },
      );
      await mark(runId, null);
      return { result: { runId }, event };
    } catch (error) {
      if (!(error instanceof AppError) || error.values.what === 'queue') throw error;
      const refusal = error.values.what === 'paused' ? 'paused' : error.code;
      await mark(null, refusal);
      const resource = { kind: 'trigger', id: trigger.id, name: trigger.name };
      return { result: { runId: null, refusal }, event: { action: 'trigger.refused', resource, payload: { reason: refusal } } };
    }
  },
});
