import { sql } from 'kysely';
import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Ends a replay before it is over: whoever asked for it, or an administrator. */
export const cancelReplay = defineCommand({
  permission: 'seeAllRuns',
  scope: null,
  input: z.object({ replay: idSchema, name: z.string() }),
  actions: ['policy.replayCancelled'],
  changes: ['quorate.policy_replays'],
  repeat: 'refused',
  refusals: { QY003: { code: 'conflict', reasons: [{ key: 'replayEnded' }] } },
  async change({ db }, { replay, name }) {
    const { rows } = await sql<{ policy: string }>`select quorate.cancel_policy_replay(${replay}) as policy`.execute(db);
    const resource = { kind: 'policy', id: rows[0]?.policy ?? '', name };
    return { result: null, event: { action: 'policy.replayCancelled', resource, payload: { replay } } };
  },
});
