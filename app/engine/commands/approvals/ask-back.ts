import { z } from 'zod';
import { COMMENT_MAX_CHARACTERS, COMMENT_REFUSALS, writeComment } from '#app/engine/approvals/write-comment.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Asks the person who wants the approval a question, for whoever may decide it. The requester is notified. */
export const askBack = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ approval: idSchema, text: z.string().trim().min(1).max(COMMENT_MAX_CHARACTERS) }),
  actions: ['approval.questionAsked'],
  changes: ['quorate.approval_comments'],
  repeat: 'repeats',
  refusals: COMMENT_REFUSALS,
  async change({ db, newId }, { approval, text }) {
    return { result: null, event: await writeComment(db, 'approval.questionAsked', { id: newId(), approval, kind: 'question', text }) };
  },
});
