import { z } from 'zod';

const TEXT_MAX_CHARACTERS = 2000;

/** `question`: of an answer, the one that it answers. */
export const talkSchema = z.object({
  kind: z.enum(['comment', 'question', 'answer']),
  question: z.uuid().optional(),
  text: z.string({ error: 'required' }).trim().min(1).max(TEXT_MAX_CHARACTERS),
});
