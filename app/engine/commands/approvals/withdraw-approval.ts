import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { withdrawApproval as takeBack } from '#app/engine/approvals/vote-approval.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Takes a question back, for who asked it. A run continues without the approval; a halt stays. @throws VoteRefused */
export const withdrawApproval = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ approval: idSchema }),
  actions: ['approval.withdrawn'],
  changes: ['quorate.approvals'],
  repeat: 'refused',
  async change({ db, engine }, { approval: id }) {
    const decided = await takeBack(db, engine, id);
    const payload: { [key: string]: Json } =
      decided.kind === 'release' ? { subject: 'release' } : { run: decided.runId, step: decided.stepPath };
    return { result: null, event: { action: 'approval.withdrawn', resource: { kind: 'approval', id, name: decided.title }, payload } };
  },
});
