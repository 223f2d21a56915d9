import { z } from 'zod';
import { MESSAGE_RECIPIENTS, type MessageStep } from '#app/domain/workflows/steps/message-step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const messageFormSchema = z.object({
  ...stepFields,
  to: z.array(z.enum(MESSAGE_RECIPIENTS)).min(1, 'required'),
  text: z.string().max(20_000).default(''),
});

export function readMessageStep(values: z.output<typeof messageFormSchema>): MessageStep {
  const { to, text } = values;
  return { ...commonOf(values), kind: 'message', to, text };
}
