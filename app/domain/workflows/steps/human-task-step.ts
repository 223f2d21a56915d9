import { z } from 'zod';
import { checkFields, takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { MESSAGE_RECIPIENTS } from '#app/domain/workflows/steps/message-step.ts';
import { mappingSchema, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** `member`: one person, by their e-mail address; a role: whoever has it and answers first. */
export const TASK_ASSIGNEES = [...MESSAGE_RECIPIENTS, 'member'] as const;
export const TASK_MAX_FIELDS = 20;
export const TASK_LATE = ['fail', 'continue', 'keep'] as const;

const humanTaskStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('human_task'),
  question: z.string().min(1).max(500),
  /** The values shown beside the question: label → mapping. */
  show: mappingSchema.default({}),
  fields: z.array(inputFieldSchema).max(TASK_MAX_FIELDS).default([]),
  to: z.enum(TASK_ASSIGNEES).default('starter'),
  /** An e-mail address, or an expression that gives one. */
  member: z.string().max(20_000).default(''),
  dueHours: z.number().int().min(1).max(720).default(72),
  /** So many hours before that, who is asked is reminded; 0, or no fewer than `dueHours`: nobody is. */
  remindHours: z.number().int().min(0).max(719).default(24),
  /** When the time is over: the step fails, the run continues without an answer, or the form stays open and counts as overdue. */
  late: z.enum(TASK_LATE).default('fail'),
});
export type HumanTaskStep = z.infer<typeof humanTaskStepSchema>;

/** Asks a person to fill in a form, and continues with the answer. */
export const humanTaskRules: StepRules<HumanTaskStep> = {
  schema: humanTaskStepSchema,
  create: (base) => ({
    ...base,
    kind: 'human_task',
    question: base.name,
    show: {},
    fields: [],
    to: 'starter',
    member: '',
    dueHours: 72,
    remindHours: 24,
    late: 'fail',
  }),
  mappings: ({ show }) => show,
  check({ fields, to, member }, { report, expression }) {
    if (fields.length === 0) report('fields', 'noTaskField');
    checkFields(fields, (key, values) => report('fields', key, values));
    for (const field of fields) if (takesFiles(field)) report('fields', 'fileInTask', { name: field.name });
    if (to === 'member' && member.trim() === '') report('member', 'noTaskMember');
    else if (to === 'member' && isExpression(member)) expression('member', stripMark(member));
  },
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: () => ['answer', 'by'],
  innerNames: () => [],
};
