import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { hostOf } from '#app/engine/policy/circumstances.ts';
import { type CompiledPolicies, compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { decideChanging } from '#app/engine/policy/decide-changing.ts';
import type { DecisionRequest, DecisionResult } from '#app/engine/policy/decision-request.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { payeeOf } from '#app/engine/policy/inputs/payee.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { readSource } from '#app/engine/policy/replay-change.ts';
import { readConnectionKinds, requestOf } from '#app/engine/policy/replay-policy.ts';

/** What is asked of a decision: an input, another version in place of one in force, another capability. Null: what is in force, what was called. */
export type WhatIf = { input: { [key: string]: Json }; versionId: string | null; capabilityId: string | null };
export type WhatIfAnswer = Pick<DecisionResult, 'verdict' | 'reason' | 'rules'>;

/**
 * The verdict that a call like that of a decision would have now. Nothing is executed and nothing is stored; approvals do not count.
 * Null: too little was kept of the decision, or there is no such capability.
 */
export async function askWhatIf(
  db: Db,
  { workspaceId, decisionId }: { workspaceId: string; decisionId: string },
  { input, versionId, capabilityId }: WhatIf,
): Promise<WhatIfAnswer | null> {
  const row = await db
    .selectFrom('quorate.decisions')
    .select(['run_id', 'action', 'context'])
    .where('id', '=', decisionId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const compiled = await compileWith(db, workspaceId, versionId);
  const then = requestOf(row, workspaceId, await readConnectionKinds(db, workspaceId), compiled);
  if (then === null) return null;
  const called = capabilityId === null ? then : await calling(db, then, capabilityId);
  if (called === null) return null;
  const { approval: _, input: __, ...asking } = { ...called, circumstances: await payingNow(db, called, input) };
  const { decision } = decideChanging(compiled, { ...asking, facts: { ...asking.facts, personalData: [] } }, input);
  const { verdict, reason, rules } = decision;
  return { verdict, reason, rules };
}

/** The circumstances of then, for whom the input names as its payee now. */
async function payingNow(db: Db, { workspaceId, circumstances }: DecisionRequest, input: WhatIf['input']) {
  const payee = payeeOf(workspaceId, input);
  if (circumstances?.outside === undefined || payee === circumstances.payee) return circumstances;
  const paid = db
    .selectFrom('quorate.decisions as d')
    .innerJoin('quorate.runs as r', (join) => join.onRef('r.id', '=', 'd.run_id').on('r.mode', '=', 'live'))
    .innerJoin('quorate.steps as s', (join) =>
      join.onRef('s.run_id', '=', 'd.run_id').onRef('s.path', '=', 'd.step_path').on('s.status', '=', 'success'),
    )
    .where('d.workspace_id', '=', workspaceId)
    .where(sql<boolean>`d.context #>> '{circumstances,payee}' = ${payee}`)
    .select(['d.run_id', 'd.step_path'])
    .distinct();
  const { calls } = await db
    .selectFrom(paid.as('paid'))
    .select((eb) => eb.fn.countAll<number>().as('calls'))
    .executeTakeFirstOrThrow();
  return { ...circumstances, payee, outside: { ...circumstances.outside, callsToPayee: Number(calls) } };
}

/** The policies in force, one of them in another version. */
async function compileWith(db: Db, workspaceId: string, versionId: string | null): Promise<CompiledPolicies> {
  const inForce = await loadPolicySources(db);
  const instead = versionId === null ? null : await readSource(db, versionId);
  const sources = instead === null ? inForce : [...inForce.filter(({ policyId }) => policyId !== instead.policyId), instead];
  return compilePolicies(sources, await loadToolSchemas(db, workspaceId));
}

/** The same request to another capability of the same kind; null: there is none. */
async function calling(db: Db, then: DecisionRequest, capabilityId: string): Promise<DecisionRequest | null> {
  const found = await db
    .selectFrom('quorate.capabilities as k')
    .innerJoin('quorate.connections as c', 'c.id', 'k.connection_id')
    .select(['k.name', 'k.fingerprint', 'k.approved_fingerprint', 'k.removed_at'])
    .select(['c.id as connectionId', 'c.slug', 'c.kind', 'c.endpoint', 'c.personal_data_allowed'])
    .where('k.id', '=', capabilityId)
    .where('k.workspace_id', '=', then.workspaceId)
    .where('k.kind', '=', then.capability.kind)
    .executeTakeFirst();
  if (found === undefined) return null;
  return {
    ...then,
    connection: {
      ...{ id: found.connectionId, slug: found.slug, kind: found.kind },
      personalDataAllowed: found.personal_data_allowed,
      builtin: found.endpoint.startsWith('builtin:'),
    },
    capability: { id: capabilityId, name: found.name, kind: then.capability.kind, state: capabilityState(found) },
    circumstances: then.circumstances === null ? null : { ...then.circumstances, host: hostOf(found.endpoint) },
  };
}
