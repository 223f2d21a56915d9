import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { agentFactsSchema, impactAnswersSchema } from '#app/domain/inventory/impact-assessment.ts';

const rowSchema = z.object({
  id: z.string(),
  agent: z.string(),
  name: z.string(),
  number: z.int(),
  answers: impactAnswersSchema,
  facts: agentFactsSchema,
  by: z.string().nullable(),
  at: z.date(),
});
export type StoredAssessment = z.output<typeof rowSchema>;

/** Versions of an agent's assessment, the newest first. */
export async function readVersions(db: Db, workspaceId: string, agent: string): Promise<StoredAssessment[]> {
  const { rows } = await sql`
    select a.id, a.agent_id as agent, '' as name, a.number, a.answers, a.facts, m.name as by, a.made_at as at
    from quorate.impact_assessments a left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.made_by
    where a.workspace_id = ${workspaceId} and a.agent_id = ${agent} order by a.number desc limit 100`.execute(db);
  return z.array(rowSchema).parse(rows);
}

/** The last version before a moment (not included) of every agent that was assessed, by the agents' names as they are now. */
export async function readLatestAssessments(db: Db, workspaceId: string, before: Date): Promise<StoredAssessment[]> {
  const { rows } = await sql`
    select distinct on (name, x.agent_id) x.id, x.agent_id as agent,
      coalesce((select a.name from quorate.artifacts a where a.id = x.agent_id),
        (select c.name from quorate.connections c where c.id = x.agent_id), '–') as name, x.number, x.answers, x.facts, m.name as by,
      x.made_at as at
    from quorate.impact_assessments x left join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.made_by
    where x.workspace_id = ${workspaceId} and x.made_at < ${before} order by name, x.agent_id, x.number desc limit 500`.execute(db);
  return z.array(rowSchema).parse(rows);
}
