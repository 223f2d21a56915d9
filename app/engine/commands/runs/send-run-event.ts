import { sql } from 'kysely';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { AppError } from '#app/domain/errors.ts';
import { EVENT_KEY_MAX_CHARACTERS, takesEventAt } from '#app/domain/workflows/events/event-key.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/**
 * Sends the event that a step of a run waits for, or will, by a program that may start runs. `step`: its id, or its key inside a loop. One event counts; the log has who sent it, the
 * step's output what it was.
 * @throws AppError not_found, also for a step that takes none; conflict { what: late | repeated }
 */
export const sendRunEvent = defineCommand({
  permission: null,
  scope: 'runs:start',
  input: z.object({ run: idSchema, step: z.string().max(EVENT_KEY_MAX_CHARACTERS), body: z.json() }),
  actions: ['run.eventReceived'],
  changes: ['quorate.run_events'],
  repeat: 'refused',
  async change({ db, engine, principal }, { run: id, step, body }) {
    const run = await db
      .selectFrom('quorate.runs as r')
      .innerJoin('quorate.versions as v', 'v.id', 'r.version_id')
      .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
      .where('r.id', '=', id)
      .select(['a.name', 'v.document'])
      .executeTakeFirst();
    const read = workflowDocumentSchema.safeParse(run?.document);
    const takes = read.success && takesEventAt(read.data.steps, step);
    if (run === undefined || !takes) throw new AppError('not_found');
    const { rows } = await sql<{ a: { state: string } }>`
      select quorate.send_event(${id}, ${step}, ${JSON.stringify(body as Json)}::json) as a`.execute(db);
    const state = rows[0]?.a.state;
    if (state === 'late' || state === 'repeated') throw new AppError('conflict', { values: { what: state } });
    if (state !== 'received') throw new AppError('not_found');
    await engine.enqueueRun(db, { id, workspaceId: principal.workspace.id });
    return { result: null, event: { action: 'run.eventReceived', resource: { kind: 'run', id, name: run.name }, payload: { step } } };
  },
});
