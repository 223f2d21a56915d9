import { z } from 'zod';
import { type HumanTaskStep, TASK_ASSIGNEES, TASK_MAX_FIELDS } from '#app/domain/workflows/steps/human-task-step.ts';
import { fieldOfRow, fieldRowSchema } from '#app/features/workflows/steps/form/field-rows.ts';
import { SPARE_ROWS } from '#app/features/workflows/steps/form/step-options.ts';
import { commonOf, mappingOf, pairs, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

/** A row that has a title has a name, too. */
const row = fieldRowSchema.superRefine(({ name, title }, at) => {
  if (title.trim() === '' && name.trim() === '') return;
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name.trim())) at.addIssue({ code: 'custom', message: 'fieldName', path: ['name'] });
});

export const humanTaskFormSchema = z.object({
  ...stepFields,
  question: z.string().trim().min(1).max(500),
  to: z.enum(TASK_ASSIGNEES),
  member: z.string().max(20_000).default(''),
  fields: z
    .array(row)
    .max(TASK_MAX_FIELDS + SPARE_ROWS)
    .default([]),
  show: pairs,
  dueHours: whole(1, 720),
});

export function readHumanTaskStep(values: z.output<typeof humanTaskFormSchema>): HumanTaskStep {
  const { question, to, member, show, dueHours } = values;
  const fields = values.fields.map(fieldOfRow).filter((field) => field !== null);
  return { ...commonOf(values), kind: 'human_task', question, to, member: member.trim(), fields, show: mappingOf(show), dueHours };
}
