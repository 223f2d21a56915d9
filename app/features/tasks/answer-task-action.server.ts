import { href, type RouterContextProvider } from 'react-router';
import { givenValues } from '#app/components/form/input-field-shape.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { answerHumanTask } from '#app/engine/commands/runs/answer-human-task.ts';
import { answerTaskSchema } from '#app/features/tasks/answer-task-schema.ts';
import { readTaskFields } from '#app/features/tasks/load-task.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Takes the answer of who is asked; the run continues with it. */
export async function answerTaskAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { task: string };
  context: Readonly<RouterContextProvider>;
}) {
  const { id, fields } = await context.get(memberContext).read((db) => readTaskFields(db, params.task));
  const parsed = await parseForm(request, answerTaskSchema(fields));
  if (!parsed.ok) return invalidForm(parsed.reply);
  const page = href('/dashboard/tasks/:task', params);
  try {
    await performAsMember(context, answerHumanTask, { task: id, answer: givenValues(parsed.value) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(page, 'taskClosedMeanwhile', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'invalid_input') return invalidForm(parsed.reply, { formErrors: ['invalid'] });
    throw error;
  }
  return redirectWithNotice(page, 'taskAnswered');
}
