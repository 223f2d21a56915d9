import { sql } from 'kysely';
import type { StatusName } from '#app/components/data/status-word.tsx';
import type { Db } from '#app/contracts/db.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { readAsked } from '#app/domain/runs/subject/asked.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import type { Asked } from '#app/domain/runs/subject/subject-text.ts';

/** Hits of one kind that are looked for; one more tells that there are more. */
export const HITS_MAX = 20;

export type FoundRow = {
  kind: 'workflow' | 'agent' | 'policy' | 'gateway' | 'connection' | 'member' | 'approval' | 'run';
  id: string;
  title: string;
  /** Of a connection its kind, of a member the address, of a run some of what it holds around the words, of an approval the workflow. */
  detail: string;
  status: StatusName | null;
  at: Date | null;
  /** Of a run what tells it apart, of an approval that of its run. */
  run: RunIdentity | null;
  /** The act that an approval would release. */
  asked: Asked | null;
};

/**
 * Rows of the workspace that come near to these words, the nearest of each kind first. Candidates come by an index; what is
 * answered is read as the member, so that row level security has the last word.
 */
export async function findRows(db: Db, words: string): Promise<FoundRow[]> {
  const { rows } = await sql<Omit<FoundRow, 'run' | 'asked'> & { number: number | null; subject: unknown; asked: unknown }>`
    with hits as materialized (select h.kind, h.id, max(h.score) as score from quorate.search_candidates(${words}, ${HITS_MAX + 1}) h group by h.kind, h.id)
    select h.kind, h.id, h.score, a.name as title, a.description as detail, a.status as status, null::timestamptz as at, null::int as number, null::jsonb as subject, null::jsonb as asked
      from hits h join quorate.artifacts a on a.id = h.id and a.deleted_at is null where h.kind in ('workflow', 'agent', 'policy', 'gateway')
    union all
    select h.kind, h.id, h.score, c.name, c.kind, c.status, null, null, null, null from hits h join quorate.connections c on c.id = h.id and c.deleted_at is null where h.kind = 'connection'
    union all
    select h.kind, h.id, h.score, m.name, m.email, null, null, null, null, null from hits h join quorate.members m on m.user_id = h.id and m.workspace_id = quorate.current_workspace_id() where h.kind = 'member'
    union all
    select h.kind, h.id, h.score, p.title, coalesce(a.name, ''), p.status, p.created_at, r.number, r.subject, quorate.asked_of(p.subject) from hits h join quorate.approvals p on p.id = h.id left join quorate.runs r on r.id = p.run_id left join quorate.artifacts a on a.id = r.artifact_id where h.kind = 'approval'
    union all
    select h.kind, h.id, h.score, coalesce(a.name, ''), coalesce((select quorate.excerpt_of(t.text, ${words}) from quorate.run_texts t where t.run_id = r.id), ''), r.status, r.created_at, r.number, r.subject, null from hits h join quorate.runs r on r.id = h.id left join quorate.artifacts a on a.id = r.artifact_id where h.kind = 'run'
    order by score desc, at desc nulls last, title`.execute(db);
  return rows.map(({ kind, id, title, detail, status, at, number, subject, asked }) => {
    const run = number === null ? null : { number, subject: readSubject(subject) };
    return { kind, id, title, detail, status, at, run, asked: readAsked(asked) };
  });
}
