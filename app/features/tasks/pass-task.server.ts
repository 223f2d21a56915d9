import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { passHumanTask } from '#app/engine/commands/runs/pass-human-task.ts';
import { loadTask } from '#app/features/tasks/load-task.server.ts';
import { passTaskSchema } from '#app/features/tasks/pass-task-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { params: { task: string }; context: Readonly<RouterContextProvider> };

/** The form that passes a task on, with the members who may get it: none where it is closed. 403 for who may not pass it on. */
export async function loadPassTask({ params, context }: Arguments) {
  const task = await loadTask({ params, context });
  if (!task.mayPass) throw data({ code: 'forbidden' }, { status: 403 });
  const receivers = await context.get(memberContext).read(async (db) => {
    const { rows } = await sql<{ id: string; name: string }>`select * from quorate.list_pass_receivers(${task.id})`.execute(db);
    return rows;
  });
  return { id: task.id, title: task.title, run: task.run, workflow: task.workflow, role: task.role, receivers };
}
export type LoadedPassTask = Awaited<ReturnType<typeof loadPassTask>>;

export async function passTaskAction({ request, params, context }: Arguments & { request: Request }) {
  if (!z.uuid().safeParse(params.task).success) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, passTaskSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const page = href('/dashboard/tasks/:task', params);
  try {
    await performAsMember(context, passHumanTask, { task: params.task, ...parsed.value });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(page, 'taskClosedMeanwhile', { kind: 'attention' });
    if (error instanceof AppError && error.code === 'invalid_input') return invalidForm(parsed.reply, { fieldErrors: { to: ['invalid'] } });
    throw error;
  }
  // Whoever does not see the run does not see the form any longer either.
  return redirectWithNotice(href('/dashboard/approvals'), 'taskPassed');
}
