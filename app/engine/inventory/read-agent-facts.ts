import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { effectOf } from '#app/domain/connections/tool-findings.ts';
import type { AgentFacts } from '#app/domain/inventory/impact-assessment.ts';
import { agentDocumentSchema, versionDocumentSchema } from '#app/domain/workflows/agent.ts';
import type { FoundAgent } from '#app/engine/inventory/find-agent.ts';
import { NO_RECORD, readAgentRecord } from '#app/engine/inventory/read-agent-record.ts';
import { readUses } from '#app/engine/inventory/read-uses.ts';

const WINDOW_DAYS = 365;

/** The known facts of an agent, for its impact assessment. */
export async function readAgentFacts(db: Db, workspaceId: string, agent: FoundAgent, now: Date): Promise<AgentFacts> {
  const kept = await readAgentRecord(db, agent.id);
  const { purpose, riskClass, dataClasses } = kept?.record ?? NO_RECORD;
  const used = agent.kind === 'authored' ? await usedByAuthored(db, workspaceId, agent) : await skillsOf(db, agent.id);
  const since = new Date(now.getTime() - WINDOW_DAYS * 86_400_000);
  return {
    purpose: purpose === '' ? agent.description : purpose,
    owner: kept?.ownerName ?? null,
    riskClass,
    dataClasses,
    ...used,
    workflows: (await readUses(db, workspaceId, agent)).map(({ name }) => name),
    ...(await readFigures(db, workspaceId, agent.id, since)),
  };
}

/** Model and tools of an agent's version in force; of one that was never published, of its draft. */
async function usedByAuthored(db: Db, workspaceId: string, agent: FoundAgent): Promise<Pick<AgentFacts, 'models' | 'tools'>> {
  const { rows } = await sql<{ published: unknown; draft: unknown }>`
    select (select v.document from quorate.versions v where v.id = ${agent.published_version_id}::uuid) as published,
      (select d.document from quorate.drafts d where d.artifact_id = ${agent.id} order by d.revision desc limit 1) as draft`.execute(db);
  const [row] = rows;
  const published = row?.published == null ? undefined : versionDocumentSchema.parse(row.published).agents[agent.id]?.document;
  const document = published ?? (row?.draft == null ? undefined : agentDocumentSchema.parse(row.draft));
  if (document === undefined) return { models: [], tools: [] };
  const found = await sql<{ slug: string; connection: string; kind: 'tool' | 'skill'; name: string; definition: Json }>`
    select n.slug, n.name as connection, c.kind, c.name, coalesce(c.approved_definition, c.definition) as definition
    from quorate.capabilities c join quorate.connections n on n.id = c.connection_id
    where n.workspace_id = ${workspaceId} and n.deleted_at is null and c.kind in ('tool', 'skill')
      and n.slug = any (${document.tools.map(({ connection }) => connection)}::text[])`.execute(db);
  const tools = document.tools.map(({ connection, capability, kind }) => {
    const known = found.rows.find((one) => one.slug === connection && one.name === capability && one.kind === kind);
    return { name: capability, connection: known?.connection ?? connection, effect: effectOf(kind, known?.definition ?? null) };
  });
  const { model, connection } = document;
  return { models: model === null ? [] : [connection === null ? model : `${model} (${connection})`], tools };
}

/** Of an agent elsewhere the skills are known, and not its model. */
async function skillsOf(db: Db, connection: string): Promise<Pick<AgentFacts, 'models' | 'tools'>> {
  const rows = await db
    .selectFrom('quorate.capabilities as c')
    .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
    .where('c.connection_id', '=', connection)
    .where('c.removed_at', 'is', null)
    .where('c.kind', '=', 'skill')
    .orderBy('c.name')
    .select(['c.name', 'c.definition', 'n.name as connection'])
    .execute();
  return {
    models: [],
    tools: rows.map((row) => ({ name: row.name, connection: row.connection, effect: effectOf('skill', row.definition) })),
  };
}

/** Policies that took part in decisions about the agent's calls, and how often it ran, was decided about by people, and is in incidents. */
async function readFigures(db: Db, workspaceId: string, agent: string, since: Date) {
  const named = (kind: string) => JSON.stringify([{ kind, id: agent }]);
  const { rows } = await sql<Pick<AgentFacts, 'policies' | 'runs' | 'approvals' | 'incidents'>>`
    with s as materialized (
      select x.run_id, x.path from quorate.steps x join quorate.runs r on r.id = x.run_id and r.mode = 'live'
      where x.started_at >= ${since} and (x.agent_id = ${agent}
        or x.capability_id in (select c.id from quorate.capabilities c where c.connection_id = ${agent})))
    select (select count(distinct s.run_id)::int from s) as runs,
      (select count(*)::int from quorate.approvals a where a.workspace_id = ${workspaceId} and exists (
        select 1 from s where s.run_id = a.run_id and (a.step_path = s.path or starts_with(a.step_path, s.path || '/')))) as approvals,
      (select count(*)::int from quorate.incidents i where i.workspace_id = ${workspaceId}
        and (i.touches @> ${named('agent')}::jsonb or i.touches @> ${named('connection')}::jsonb)) as incidents,
      array(select distinct p.name from quorate.decisions d
        join s on s.run_id = d.run_id and (d.step_path = s.path or starts_with(d.step_path, s.path || '/'))
        cross join lateral jsonb_array_elements(d.rules) rule
        join quorate.artifacts p on p.id::text = rule ->> 'policyId' order by 1) as policies`.execute(db);
  return rows[0] ?? { policies: [], runs: 0, approvals: 0, incidents: 0 };
}
