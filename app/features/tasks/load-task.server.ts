import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { RECIPIENT_ROLES } from '#app/domain/workflows/steps/message-step.ts';

/** Why this member may not answer, by the SQLSTATE of `quorate.human_task_refusal`. */
const REFUSALS = { QT002: 'others', QT003: 'others', QT008: 'closed', QT009: 'late' } as const;
export type TaskRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

const passSchema = z.object({ by: z.uuid(), to: z.uuid(), reason: z.string(), at: z.string() });

/** One task: the question, what is shown beside it, its fields, and whether this member may answer, or what was answered. */
export async function loadTask({ params, context }: { params: { task: string }; context: Readonly<RouterContextProvider> }) {
  const { read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.task);
  const found = id.success ? await read((db) => readTask(db, id.data)) : null;
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { task, run, refusal, passRefusal, names } = found;
  const overdue = task.status === 'pending' && task.due_at <= context.get(servicesContext).now();
  return inReadersLanguage(context, {
    id: task.id,
    title: task.title,
    workflow: task.workflow,
    question: task.question,
    shown: Object.entries((task.shown ?? {}) as { [label: string]: Json }).map(([label, value]) => ({ label, value })),
    fields: z.array(inputFieldSchema).parse(task.fields),
    answer: task.answer as { [name: string]: Json } | null,
    answeredBy: names.get(task.answered_by ?? '') ?? null,
    /** Whose it is: one member, null for everyone with the role. */
    assignee: task.user_id === null ? null : (names.get(task.user_id) ?? null),
    assigned: task.user_id !== null,
    role: RECIPIENT_ROLES.find((role) => role === task.role) ?? null,
    late: task.late,
    overdue,
    mayPass: passRefusal === null,
    passes: z
      .array(passSchema)
      .parse(task.passes)
      .map(({ by, to, reason, at }) => ({ by: names.get(by) ?? null, to: names.get(to) ?? null, reason, at })),
    dueAt: task.due_at.toISOString(),
    answeredAt: task.answered_at?.toISOString() ?? null,
    /** Null: the member may not see it. */
    run: run === null ? null : { id: run.id, number: run.number, subject: readSubject(run.subject), workflow: task.workflow },
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
  const run = await db.selectFrom('quorate.runs').where('id', '=', task.run_id).select(['id', 'number', 'subject']).executeTakeFirst();
  const { rows } = await sql<{ state: string | null; pass: string | null }>`
    select quorate.my_human_task_refusal(${id}) as state, quorate.my_pass_refusal(${id}) as pass`.execute(db);
  const passes = z.array(passSchema).parse(task.passes);
  const people = [task.answered_by, task.user_id, ...passes.flatMap(({ by, to }) => [by, to])].filter((id) => id !== null);
  const members = await db
    .selectFrom('quorate.members')
    .where('user_id', 'in', [id, ...people])
    .select(['user_id', 'name'])
    .execute();
  const names = new Map(members.map(({ user_id, name }) => [user_id, name]));
  const { state = null, pass = null } = rows[0] ?? { state: 'QT002', pass: 'QT002' };
  return { task, run: run ?? null, refusal: state, passRefusal: pass, names };
}
