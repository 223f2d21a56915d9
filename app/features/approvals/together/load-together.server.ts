import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { readSubject as readRunSubject } from '#app/domain/runs/subject/run-subject.ts';
import { type Decider, isForMember, mayDecide } from '#app/engine/approvals/find-next-approval.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';
import { readSubject } from '#app/features/approvals/read-subject.server.ts';

/** One page shows no more, and one decision covers no more. */
export const MOST_TOGETHER = 50;
/** Facts of each that the table shows; the page of each has all. */
const MOST_FACTS = 4;

type Kind = { id: string; risk: string; meaning: string | null; reauthenticate: string | null; run_id: string | null; step_path: string };

/**
 * Of `quorate.approvals a`: those that this member may decide together with one of this kind: low risk, no meaning and no proof asked for, the same step of the same workflow.
 */
function isAlike(member: Decider, kind: Pick<Kind, 'run_id' | 'step_path'>) {
  return sql<boolean>`(a.risk = 'low' and a.meaning is null and a.reauthenticate is null and a.subject_kind = 'step' and ${isForMember(member)}
    and quorate.question_of(a.step_path) = quorate.question_of(${kind.step_path})
    and exists (select from quorate.runs r join quorate.runs k on k.artifact_id = r.artifact_id
      where r.id = a.run_id and k.id = ${kind.run_id}::uuid))`;
}

/** How many others could be decided with this one, at most MOST_TOGETHER; none where its risk is not low. */
export async function countAlike(db: Db, member: Decider, kind: Kind): Promise<number> {
  if (kind.risk !== 'low' || kind.meaning !== null || kind.reauthenticate !== null || kind.run_id === null) return 0;
  if (!mayDecide(member.roles)) return 0;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from quorate.approvals a where ${isAlike(member, kind)} and a.id <> ${kind.id} limit ${MOST_TOGETHER}) alike`.execute(db);
  return rows[0]?.count ?? 0;
}

export type TogetherRow = {
  id: string;
  title: string;
  subject: Json;
  digest: string;
  quorum: number;
  risk: string;
  dueAt: string;
  run: RunIdentity & { workflow: string };
};

/** The approvals that ask the same as this one, it included, in the order of the inbox. */
export async function readTogether(context: Readonly<RouterContextProvider>, approval: string): Promise<TogetherRow[]> {
  const { member, read } = context.get(memberContext);
  if (!z.uuid().safeParse(approval).success) throw data({ code: 'not_found' }, { status: 404 });
  return await read(async (db) => {
    const kind = await db.selectFrom('quorate.approvals').select(['run_id', 'step_path']).where('id', '=', approval).executeTakeFirst();
    if (kind === undefined) throw data({ code: 'not_found' }, { status: 404 });
    const { rows } = await sql<{
      id: string;
      title: string;
      subject: Json;
      action_digest: string;
      quorum: number;
      risk: string;
      due_at: Date;
      number: number;
      run_subject: Json;
      workflow: string;
    }>`select a.id, a.title, a.subject, a.action_digest, a.quorum, a.risk, a.due_at, r.number, r.subject as run_subject, w.name as workflow
      from quorate.approvals a join quorate.runs r on r.id = a.run_id join quorate.artifacts w on w.id = r.artifact_id
      where ${isAlike(member, kind)} order by a.due_at, a.created_at desc, a.id desc limit ${MOST_TOGETHER}`.execute(db);
    return rows
      .filter((row) => isActionAsDigested(row.subject, row.action_digest))
      .map(({ action_digest: digest, due_at: dueAt, number, run_subject, workflow, ...row }) => ({
        ...row,
        digest,
        dueAt: dueAt.toISOString(),
        run: { number, subject: readRunSubject(run_subject), workflow },
      }));
  });
}

/** The same with the facts that tell them apart. */
export async function loadTogether({ params, context }: { params: { approval: string }; context: Readonly<RouterContextProvider> }) {
  const rows = (await readTogether(context, params.approval)).map(({ id, title, subject, digest, dueAt, run }) => {
    const { input, question, moreFields } = readSubject(subject);
    return {
      id,
      title,
      digest,
      dueAt,
      run,
      question,
      facts: input.slice(0, MOST_FACTS),
      more: moreFields + Math.max(0, input.length - MOST_FACTS),
    };
  });
  return { approval: params.approval, rows: inReadersLanguage(context, rows) };
}

export type LoadedTogether = Awaited<ReturnType<typeof loadTogether>>;
