import { type Selectable, sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { approvalTitles } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage, sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { authContext, memberContext } from '#app/contracts/request-context.ts';
import type { ApprovalVotesTable } from '#app/contracts/tables.ts';
import { AppError } from '#app/domain/errors.ts';
import { readSubject as readRunSubject } from '#app/domain/runs/subject/run-subject.ts';
import { refusalOf } from '#app/engine/approvals/vote-refusal.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';
import { readEarlierDecisions } from '#app/features/approvals/load-earlier-decisions.server.ts';
import { readRelease, readSubject } from '#app/features/approvals/read-subject.server.ts';
import { readTalk } from '#app/features/approvals/talk/read-talk.server.ts';
import { countAlike } from '#app/features/approvals/together/load-together.server.ts';
import { loadWork } from '#app/features/approvals/work/load-work.server.ts';

/** Everything about one approval: what will be done, why it waits, who voted, and whether this member may decide. */
export async function loadApproval({ params, context }: { params: { approval: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  if (!z.uuid().safeParse(params.approval).success) throw data({ code: 'not_found' }, { status: 404 });
  const found = await read(async (db) => {
    const approval = await db
      .selectFrom('quorate.approvals')
      .selectAll()
      .select(sql<Json>`quorate.asked_of(subject)`.as('asked'))
      .where('id', '=', params.approval)
      .executeTakeFirst();
    if (approval === undefined) return null;
    const votes = await db
      .selectFrom('quorate.approval_votes')
      .selectAll()
      .where('approval_id', '=', approval.id)
      .orderBy('voted_at')
      .execute();
    const run = await readRun(db, approval.run_id);
    const decision = await readDecision(db, approval);
    const refusal = await sql<{ state: string | null }>`select quorate.my_approval_refusal(${approval.id}) as state`.execute(db);
    const earlier = run === undefined ? null : await readEarlierDecisions(db, approval, run.artifact_id);
    const people = await loadPeople(db, approval);
    const deciders = await countDeciders(db, approval.id);
    const alike = await countAlike(db, member, approval);
    const work = await loadWork(db, approval, member.userId);
    const talk = await readTalk(db, approval, member.userId);
    return {
      approval,
      votes,
      run,
      decision,
      refusal: refusalOf(refusal.rows[0]?.state ?? null),
      people,
      earlier,
      alike,
      work,
      talk,
      deciders,
    };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { approval, run, decision, votes } = found;
  return inReadersLanguage(context, {
    id: approval.id,
    ways: await readWays(context, approval),
    title: approvalTitles(context)(approval.title, approval.asked),
    status: approval.status,
    risk: approval.risk,
    /** What who approves is asked to state; null: they choose. */
    meaning: approval.meaning,
    /** The people whom the policies ask in place of any approver, and how they prove that it is them. */
    demands: { role: approval.role, groups: approval.groups ?? [], reauthenticate: approval.reauthenticate },
    reason: approval.reason,
    digest: approval.action_digest,
    stepPath: approval.step_path,
    quorum: approval.quorum,
    createdAt: approval.created_at.toISOString(),
    dueAt: approval.due_at.toISOString(),
    decidedAt: approval.decided_at?.toISOString() ?? null,
    consumedAt: approval.consumed_at?.toISOString() ?? null,
    requestedBy: found.people.names[approval.requested_by] ?? null,
    versionAuthor: found.people.names[approval.version_author_id] ?? null,
    ...readSubject(approval.subject),
    intact: isActionAsDigested(approval.subject, approval.action_digest),
    run: run === undefined ? null : shownRun(run),
    rules: readRules(decision?.rules),
    policyVersion: decision?.policy_version ?? null,
    votes: votes.map(shownVote),
    refusal: found.refusal,
    work: found.work,
    talk: found.talk,
    earlier: found.earlier === null ? null : inWordsOf(sayShipped(context), found.earlier),
    /** Others of low risk that ask the same and that this member may decide. */
    alike: found.alike,
    /** The number of members who may decide; 0: nobody can. */
    deciders: found.deciders,
    mayWithdraw: approval.status === 'pending' && (run?.initiator_id ?? approval.requested_by) === member.userId,
    subjectKind: approval.subject_kind,
    haltedBy: found.people.names[readRelease(approval.subject)?.haltedBy ?? ''] ?? null,
  });
}

function shownVote({ voter_name: voter, voted_at: at, vote, reason, meaning }: Selectable<ApprovalVotesTable>) {
  return { voter, vote, reason, at: at.toISOString(), meaning };
}

/** How who votes proves that it is them; null: nothing asks for that. */
function readWays(
  context: Readonly<RouterContextProvider>,
  asked: { risk: string; meaning: string | null; reauthenticate: string | null },
) {
  const proves = asked.risk === 'high' || asked.meaning !== null || asked.reauthenticate !== null;
  return proves ? context.get(authContext).proofWays() : null;
}

const shownRun = ({ id, runNumber, subject, status, mode, name, number }: NonNullable<Awaited<ReturnType<typeof readRun>>>) => ({
  ...{ id, number: runNumber, subject: readRunSubject(subject) },
  ...{ status, mode, workflow: name, version: number },
});

/** Names of values are keys where they are stored, and texts that Quorate ships in the demo. */
function inWordsOf(say: (text: string) => string, earlier: Earlier): Earlier {
  return { ...earlier, shown: earlier.shown.map((row) => ({ ...row, same: row.same.map(say) })) };
}
type Earlier = Awaited<ReturnType<typeof readEarlierDecisions>>;

/** The whole action that the digest binds, as a file. @throws AppError not_found */
export async function downloadSubject({ params, context }: { params: { approval: string }; context: Readonly<RouterContextProvider> }) {
  const { read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.approval).data;
  const row =
    id === undefined
      ? undefined
      : await read((db) => db.selectFrom('quorate.approvals').select('subject').where('id', '=', id).executeTakeFirst());
  if (row === undefined) throw new AppError('not_found');
  return jsonFile(row.subject, `quorate-approval-${id}`);
}

export type LoadedApproval = Awaited<ReturnType<typeof loadApproval>>;

function readRun(db: Db, id: string | null) {
  return db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as w', 'w.id', 'r.artifact_id')
    .innerJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .select(['r.id', 'r.number as runNumber', 'r.subject', 'r.status', 'r.mode', 'r.initiator_id', 'r.artifact_id', 'w.name', 'v.number'])
    .where('r.id', '=', id)
    .executeTakeFirst();
}

/** The policies' decision that asked for it. */
function readDecision(db: Db, approval: { run_id: string | null; step_path: string; action_digest: string }) {
  return db
    .selectFrom('quorate.decisions')
    .select(['rules', 'reason', 'policy_version'])
    .where('run_id', '=', approval.run_id)
    .where('step_path', '=', approval.step_path)
    .where('action_digest', '=', approval.action_digest)
    .orderBy('decided_at', 'desc')
    .executeTakeFirst();
}

async function loadPeople(db: Db, approval: { requested_by: string; version_author_id: string; subject: Json }) {
  const haltedBy = readRelease(approval.subject)?.haltedBy ?? approval.requested_by;
  const members = await db
    .selectFrom('quorate.members')
    .select(['user_id', 'name'])
    .where('user_id', 'in', [approval.requested_by, approval.version_author_id, haltedBy])
    .execute();
  return { names: Object.fromEntries(members.map((row) => [row.user_id, row.name])) as Record<string, string> };
}

/** Members who could decide it, or have. */
async function countDeciders(db: Db, approval: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from quorate.approvals a join quorate.members m on m.workspace_id = a.workspace_id
    where a.id = ${approval} and coalesce(quorate.decider_refusal_here(a, m.user_id), 'QV010') = 'QV010'`.execute(db);
  return rows[0]?.count ?? 0;
}

const rulesSchema = z.array(z.object({ policyId: z.string(), policyName: z.string(), version: z.number(), rule: z.string() }));

function readRules(rules: Json | undefined) {
  const read = rulesSchema.safeParse(rules);
  return read.success ? read.data : [];
}
