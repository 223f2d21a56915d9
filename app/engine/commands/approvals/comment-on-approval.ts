import { z } from 'zod';
import { COMMENT_MAX_CHARACTERS, COMMENT_REFUSALS, writeComment } from '#app/engine/approvals/write-comment.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Writes a comment under an approval, for whoever may see it. */
export const commentOnApproval = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ approval: idSchema, text: z.string().trim().min(1).max(COMMENT_MAX_CHARACTERS) }),
  actions: ['approval.commented'],
  changes: ['quorate.approval_comments'],
  repeat: 'repeats',
  refusals: COMMENT_REFUSALS,
  async change({ db, newId }, { approval, text }) {
    return { result: null, event: await writeComment(db, 'approval.commented', { id: newId(), approval, kind: 'comment', text }) };
  },
});
