import { z } from 'zod';
import { ASKED_MEANINGS, RISKS } from '#app/contracts/statuses.ts';
import { SUBJECT_TEMPLATE_MAX } from '#app/domain/workflows/limits.ts';
import type { ApprovalStep } from '#app/domain/workflows/steps/approval-step.ts';
import { commonOf, mappingOf, pairs, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

export const approvalFormSchema = z.object({
  ...stepFields,
  question: z.string().trim().min(1).max(500),
  sentence: z.string().trim().max(SUBJECT_TEMPLATE_MAX).default(''),
  show: pairs,
  risk: z.enum(RISKS),
  quorum: whole(1, 9),
  dueHours: whole(1, 720),
  meaning: z.enum(ASKED_MEANINGS).optional(),
});

export function readApprovalStep(values: z.output<typeof approvalFormSchema>): ApprovalStep {
  const { question, sentence, show, risk, quorum, dueHours, meaning } = values;
  return {
    ...commonOf(values),
    kind: 'approval',
    question,
    ...(sentence !== '' && { sentence }),
    show: mappingOf(show),
    risk,
    quorum,
    dueHours,
    ...(meaning !== undefined && { meaning }),
  };
}
