import { sql } from 'kysely';
import { z } from 'zod';
import { REPLAY_DAYS } from '#app/domain/audit/replay.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Lets a worker decide the live runs of the last days again as if this text of a policy were in force. Nothing is executed. */
export const startReplay = defineCommand({
  permission: 'seeAllRuns',
  scope: null,
  input: z.object({
    id: z.uuid(),
    policy: idSchema,
    name: z.string(),
    text: z.string(),
    isDraft: z.boolean(),
    days: z.number().refine((days) => (REPLAY_DAYS as readonly number[]).includes(days)),
  }),
  actions: ['policy.replayRequested'],
  changes: ['quorate.policy_replays'],
  repeat: 'byId',
  refusals: {
    QY001: { code: 'conflict', reasons: [{ key: 'replayRuns' }] },
    QY002: { code: 'conflict', reasons: [{ key: 'replaysWait' }] },
  },
  async change({ db }, { id, policy, name, text, isDraft, days }) {
    await sql`select quorate.request_policy_replay(${id}, ${policy}, ${text}, ${isDraft}, ${days})`.execute(db);
    const resource = { kind: 'policy', id: policy, name };
    return { result: null, event: { action: 'policy.replayRequested', resource, payload: { replay: id, days, draft: isDraft } } };
  },
});
