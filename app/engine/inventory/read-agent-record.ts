import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { DataClass, RiskClass } from '#app/domain/inventory/agent-record.ts';

/** An agent's record in the inventory. `reviewOn`: a day of the calendar. */
export type AgentRecord = {
  owner: string | null;
  purpose: string;
  riskClass: RiskClass | null;
  dataClasses: DataClass[];
  reviewOn: string | null;
};

export const NO_RECORD: AgentRecord = { owner: null, purpose: '', riskClass: null, dataClasses: [], reviewOn: null };

/** The record of an agent, with who wrote it last; null: there is none. */
export async function readAgentRecord(db: Db, agent: string) {
  const { rows } = await sql<AgentRecord & { owner_name: string | null; by: string | null; at: Date }>`
    select r.owner_id as owner, r.purpose, r.risk_class as "riskClass", r.data_classes as "dataClasses",
      to_char(r.review_on, 'YYYY-MM-DD') as "reviewOn", o.name as owner_name, m.name as by, r.reviewed_at as at
    from quorate.agent_records r
    left join quorate.members o on o.workspace_id = r.workspace_id and o.user_id = r.owner_id
    left join quorate.members m on m.workspace_id = r.workspace_id and m.user_id = r.reviewed_by
    where r.agent_id = ${agent}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { owner_name, by, at, ...record } = row;
  return { record: { ...record, owner: owner_name === null ? null : record.owner }, ownerName: owner_name, by, at: at.toISOString() };
}
