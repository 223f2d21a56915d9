import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { loadDecisions } from '#app/features/policies/replay/load-decisions.server.ts';

export const VIOLATION_WINDOW_DAYS = 30;
const RECENT_VIOLATIONS = 10;

/** Figures and list of the workspace's policies, and what they objected to lately. */
export async function loadPolicies({ context }: { context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const since = new Date(context.get(servicesContext).now().getTime() - VIOLATION_WINDOW_DAYS * 86_400_000);
  const loaded = await read(async (db) => {
    const policies = await db
      .selectFrom('quorate.artifacts as a')
      .leftJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
      .select(['a.id', 'a.name', 'a.description', 'a.status', 'a.updated_at', 'v.number'])
      .where('a.workspace_id', '=', member.workspace.id)
      .where('a.kind', '=', 'policy')
      .where('a.deleted_at', 'is', null)
      .orderBy('a.name')
      .orderBy('a.id')
      .execute();
    const counted = await sql<{ policy_id: string; decisions: number }>`select * from quorate.count_policy_decisions(${since})`.execute(db);
    const violations = await sql<{ count: number }>`select quorate.count_violations(${since}) as count`.execute(db);
    const approver = await db
      .selectFrom('quorate.members')
      .select('user_id')
      .where('workspace_id', '=', member.workspace.id)
      .where(sql<boolean>`'approver' = any (roles)`)
      .limit(1)
      .executeTakeFirst();
    const decisionsOf = new Map(counted.rows.map((row) => [row.policy_id, row.decisions]));
    return {
      mayAuthor: can(member.roles, 'authorPolicy'),
      readsChanges: can(member.roles, 'readChanges'),
      somebodyApproves: approver !== undefined,
      figures: {
        active: policies.filter((policy) => policy.status === 'active').length,
        violations: violations.rows[0]?.count ?? 0,
        lastUpdated:
          policies.length === 0 ? null : new Date(Math.max(...policies.map((policy) => policy.updated_at.getTime()))).toISOString(),
      },
      policies: policies.map((policy) => ({
        id: policy.id,
        name: policy.name,
        description: policy.description,
        status: policy.status,
        version: policy.number,
        decisions: decisionsOf.get(policy.id) ?? 0,
        updatedAt: policy.updated_at.toISOString(),
      })),
      violations: await loadDecisions(db, { since, limit: RECENT_VIOLATIONS, violationsOnly: true }),
    };
  });
  return inReadersLanguage(context, loaded);
}
export type LoadedPolicies = Awaited<ReturnType<typeof loadPolicies>>;
