import { z } from 'zod';
import { MESSAGE_RECIPIENTS, type MessageStep } from '#app/domain/workflows/steps/message-step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const messageFormSchema = z
  .object({
    ...stepFields,
    to: z.array(z.enum(MESSAGE_RECIPIENTS)).default([]),
    members: z.string().trim().max(20_000).default(''),
    mail: z.boolean().default(false),
    text: z.string().max(20_000).default(''),
  })
  .superRefine(({ to, members }, at) => {
    if (to.length === 0 && members === '') at.addIssue({ code: 'custom', message: 'required', path: ['to'] });
  });

export function readMessageStep(values: z.output<typeof messageFormSchema>): MessageStep {
  const { to, members, mail, text } = values;
  return { ...commonOf(values), kind: 'message', to, members, mail, text };
}
