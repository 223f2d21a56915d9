import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';

/** Why this member may not answer, by the SQLSTATE of `quorate.human_task_refusal`. */
const REFUSALS = { QT002: 'others', QT003: 'others', QT008: 'closed', QT009: 'late' } as const;
export type TaskRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** One task: the question, what is shown beside it, its fields, and whether this member may answer, or what was answered. */
export async function loadTask({ params, context }: { params: { task: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.task);
  const found = id.success ? await read((db) => readTask(db, id.data)) : null;
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { task, seesRun, refusal, answeredBy } = found;
  return inReadersLanguage(context, {
    id: task.id,
    title: task.title,
    workflow: task.workflow,
    question: task.question,
    shown: Object.entries((task.shown ?? {}) as { [label: string]: Json }).map(([label, value]) => ({ label, value })),
    fields: z.array(inputFieldSchema).parse(task.fields),
    answer: task.answer as { [name: string]: Json } | null,
    answeredBy,
    isMine: task.answered_by === member.userId,
    dueAt: task.due_at.toISOString(),
    answeredAt: task.answered_at?.toISOString() ?? null,
    run: seesRun ? task.run_id : null,
    refusal: refusal === null ? null : (REFUSALS[refusal as keyof typeof REFUSALS] ?? 'others'),
  });
}
export type LoadedTask = Awaited<ReturnType<typeof loadTask>>;

/** The fields of a task as they are stored. @throws AppError not_found */
export async function readTaskFields(db: Db, id: string) {
  const row = z.uuid().safeParse(id).success
    ? await db.selectFrom('quorate.human_tasks').where('id', '=', id).select('fields').executeTakeFirst()
    : undefined;
  if (row === undefined) throw new AppError('not_found');
  return { id, fields: z.array(inputFieldSchema).parse(row.fields) };
}

async function readTask(db: Db, id: string) {
  const task = await db.selectFrom('quorate.human_tasks').selectAll().where('id', '=', id).executeTakeFirst();
  if (task === undefined) return null;
  const run = await db.selectFrom('quorate.runs').where('id', '=', task.run_id).select('id').executeTakeFirst();
  const { rows } = await sql<{ state: string | null }>`select quorate.my_human_task_refusal(${id}) as state`.execute(db);
  const by = await db.selectFrom('quorate.members').where('user_id', '=', task.answered_by).select('name').executeTakeFirst();
  return { task, seesRun: run !== undefined, refusal: rows[0]?.state ?? null, answeredBy: by?.name ?? null };
}
