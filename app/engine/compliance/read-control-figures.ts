import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { ControlFigures } from '#app/engine/compliance/judge-controls.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';

const WINDOW_DAYS = 30;

/** The facts by which the controls of the workspace are judged, the same for every member. */
export async function readControlFigures(db: Db, now: Date): Promise<ControlFigures> {
  const since = new Date(now.getTime() - WINDOW_DAYS * 86_400_000);
  const { rows } = await sql<{
    members: number;
    approvers: number;
    approvers_apart: number;
    admins: number;
    decisions: boolean;
    first_event_at: Date | null;
    unplaced_since: Date | null;
    checkpoint_at: Date | null;
    checkpoint_sent_at: Date | null;
    halted_at: Date | null;
    connections: number;
    unchecked: number;
    failing: number;
    changed_definitions: number;
    endless_keys: number;
    expired_approvals: number;
  }>`select * from quorate.read_control_figures(${since})`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered no figures');
  const violations = await sql<{ count: number }>`select quorate.count_violations(${since}) as count`.execute(db);
  const sources = await loadPolicySources(db);
  const rules = sources.flatMap(({ text }) => (text === null ? [] : readPolicyText(text).rules));
  return {
    now,
    policies: sources.length,
    asksApproval: rules.some((rule) => rule.verdict === 'require_approval'),
    guardsPersonalData: rules.some((rule) => rule.text.includes('context.personalData')),
    violations: violations.rows[0]?.count ?? 0,
    members: row.members,
    approvers: row.approvers,
    approversApart: row.approvers_apart,
    admins: row.admins,
    decisions: row.decisions,
    firstEventAt: row.first_event_at,
    unplacedSince: row.unplaced_since,
    checkpointAt: row.checkpoint_at,
    checkpointSentAt: row.checkpoint_sent_at,
    haltedAt: row.halted_at,
    connections: row.connections,
    unchecked: row.unchecked,
    failing: row.failing,
    changedDefinitions: row.changed_definitions,
    endlessKeys: row.endless_keys,
    expiredApprovals: row.expired_approvals,
  };
}
