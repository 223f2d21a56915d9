import { z } from 'zod';
import { COMMENT_MAX_CHARACTERS, COMMENT_REFUSALS, writeComment } from '#app/engine/approvals/write-comment.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Answers a question under an approval, once, as the person who wants the approval. Whoever asked is notified. */
export const answerQuestion = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ approval: idSchema, question: idSchema, text: z.string().trim().min(1).max(COMMENT_MAX_CHARACTERS) }),
  actions: ['approval.questionAnswered'],
  changes: ['quorate.approval_comments'],
  repeat: 'refused',
  refusals: COMMENT_REFUSALS,
  async change({ db, newId }, { approval, question, text }) {
    const event = await writeComment(db, 'approval.questionAnswered', { id: newId(), approval, kind: 'answer', question, text });
    return { result: null, event };
  },
});
