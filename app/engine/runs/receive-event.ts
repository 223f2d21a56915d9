import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import { isTooDeep } from '#app/domain/web/json-depth.ts';
import { storableJson } from '#app/engine/connections/peer-json.ts';

type Received = { state: 'received' | 'repeated'; workspaceId: string } | { state: 'unknown' | 'late' };

/**
 * Takes in the event of a step, and queues its run in the same transaction. The caller has verified that it may. `late`: the step or the run has
 * ended without it.
 */
export async function receiveEvent(
  db: Db,
  engine: Pick<Engine, 'enqueueRun'>,
  { runId, stepId, body }: { runId: string; stepId: string; body: Json },
): Promise<Received['state']> {
  const { rows } = await sql<{
    a: Received;
  }>`select quorate.receive_event(${runId}, ${stepId}, ${JSON.stringify(body)}::json) as a`.execute(db);
  const received = rows[0]?.a ?? { state: 'unknown' };
  if ('workspaceId' in received) await engine.enqueueRun(db, { id: runId, workspaceId: received.workspaceId });
  return received.state;
}

/** An empty body is an event without data. Undefined: it cannot be stored. */
export function readEventBody(text: string): Json | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : storableJson(value);
  } catch {
    return undefined;
  }
}
