import { z } from 'zod';
import { ASKED_MEANINGS } from '#app/contracts/statuses.ts';
import { SUBJECT_TEMPLATE_MAX } from '#app/domain/workflows/limits.ts';
import { checkTemplate } from '#app/domain/workflows/mappings/template-check.ts';
import { mappingSchema, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

const approvalStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('approval'),
  /** The question to the approver. */
  question: z.string().min(1).max(500),
  /** One sentence on the effect of approving: a text with expressions in double braces. Absent rather than empty, so that hashes stay. */
  sentence: z.string().min(1).max(SUBJECT_TEMPLATE_MAX).optional(),
  /** The values shown to the approver: label → mapping. */
  show: mappingSchema.default({}),
  risk: z.enum(['low', 'medium', 'high']).default('medium'),
  quorum: z.number().int().min(1).max(9).default(1),
  dueHours: z.number().int().min(1).max(720).default(72),
  /** What who approves signs for, with their password whatever the risk. Absent: they say it themselves; so that hashes stay. */
  meaning: z.enum(ASKED_MEANINGS).optional(),
});
export type ApprovalStep = z.infer<typeof approvalStepSchema>;

/** A question to people, on whose answer the run waits. */
export const approvalRules: StepRules<ApprovalStep> = {
  schema: approvalStepSchema,
  create: (base) => ({ ...base, kind: 'approval', question: base.name, show: {}, risk: 'medium', quorum: 1, dueHours: 72 }),
  mappings: ({ show }) => show,
  check: ({ sentence = '' }, { report, expression }) =>
    checkTemplate(
      sentence,
      (key, values) => report('sentence', key, values),
      (text) => expression('sentence', text),
    ),
  protocols: [],
  askedAgain: true,
  repeats: false,
  outputNames: () => ['approved', 'approvers', 'shown'],
  innerNames: () => [],
};
