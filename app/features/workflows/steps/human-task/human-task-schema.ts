import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { type HumanTaskStep, TASK_ASSIGNEES, TASK_LATE, TASK_MAX_FIELDS } from '#app/domain/workflows/steps/human-task-step.ts';
import { fieldOfRow, fieldRowsSchema } from '#app/features/workflows/steps/form/field-rows.ts';
import { commonOf, mappingOf, pairs, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

export const humanTaskFormSchema = z.object({
  ...stepFields,
  question: z.string().trim().min(1).max(500),
  to: z.enum(TASK_ASSIGNEES),
  member: z.string().max(20_000).default(''),
  fields: fieldRowsSchema.refine((rows) => rows.length <= TASK_MAX_FIELDS, message('tooMany', { maximum: TASK_MAX_FIELDS })),
  show: pairs,
  dueHours: whole(1, 720),
  remindHours: whole(0, 719),
  late: z.enum(TASK_LATE),
});

export function readHumanTaskStep(values: z.output<typeof humanTaskFormSchema>): HumanTaskStep {
  const { question, to, member, show, dueHours, remindHours, late } = values;
  const fields = values.fields.map(fieldOfRow).filter((field) => field !== null);
  return {
    ...commonOf(values),
    kind: 'human_task',
    question,
    to,
    member: member.trim(),
    fields,
    show: mappingOf(show),
    dueHours,
    remindHours,
    late,
  };
}
