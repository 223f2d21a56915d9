import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import { RISKS, type Risk, type Verdict } from '#app/contracts/statuses.ts';
import type { CapabilityState } from '#app/domain/connections/capability-state.ts';
import { isRole } from '#app/domain/people/roles.ts';
import { type CompiledPolicies, compilePolicies, type PolicySource } from '#app/engine/policy/compile-policies.ts';
import { decide } from '#app/engine/policy/decide.ts';
import type { DecisionRequest, DecisionResult } from '#app/engine/policy/decision-request.ts';
import { knowsAsked } from '#app/engine/policy/inputs/asked-facts.ts';
import { factsFromKept } from '#app/engine/policy/inputs/input-facts.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { toolAction } from '#app/engine/policy/inputs/named-inputs.ts';

export type Replayed = {
  id: string;
  runId: string;
  at: Date;
  capability: string;
  was: Verdict;
  would: Verdict;
  reason: Explanation;
};

const MOST_DECISIONS = 2_000;
const ACTIONS = ['call_tool', 'call_agent', 'call_model'] as const;
const KIND_OF = { call_tool: 'tool', call_agent: 'skill', call_model: 'model' } as const;

/**
 * Decides again what was decided in the last runs, as if `sources` had been in force, from the facts that were kept then. Nothing is
 * executed and nothing is stored. Returns how many were decided again, and those whose verdict would be another, the newest first.
 */
export async function replayPolicies(
  db: Db,
  sources: readonly PolicySource[],
  { workspaceId, runs }: { workspaceId: string; runs: number },
): Promise<{ runs: number; decided: number; unreadable: number; changed: Replayed[] }> {
  const last = await db
    .selectFrom('quorate.runs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .limit(runs)
    .execute();
  if (last.length === 0) return { runs: 0, decided: 0, unreadable: 0, changed: [] };
  const rows = await db
    .selectFrom('quorate.decisions')
    .select(['id', 'run_id', 'decided_at', 'action', 'verdict', 'reason', 'context'])
    .where(
      'run_id',
      'in',
      last.map(({ id }) => id),
    )
    .orderBy('decided_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_DECISIONS)
    .execute();
  const kinds = await readConnectionKinds(db, workspaceId);
  const compiled = compilePolicies(sources, await loadToolSchemas(db, workspaceId));
  const changed: Replayed[] = [];
  let unreadable = 0;
  for (const row of rows) {
    const again = decideAgain(compiled, row, workspaceId, kinds);
    if (again === null) unreadable += 1;
    else if (again.verdict !== row.verdict)
      changed.push({
        id: row.id,
        runId: row.run_id,
        at: row.decided_at,
        capability: again.capability,
        was: row.verdict,
        would: again.verdict,
        reason: again.reason,
      });
  }
  return { runs: last.length, decided: rows.length - unreadable, unreadable, changed };
}

export async function readConnectionKinds(db: Db, workspaceId: string): Promise<ConnectionKinds> {
  const rows = await db.selectFrom('quorate.connections').select(['id', 'kind']).where('workspace_id', '=', workspaceId).execute();
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

/** The decision of then made again; null: too little was kept of it. `reason`: the key of its sentence then. */
export function decideAgain(
  compiled: CompiledPolicies,
  row: StoredDecision & { reason: unknown },
  workspaceId: string,
  kinds: ConnectionKinds,
): { capability: string; verdict: Verdict; reason: Explanation } | null {
  const request = requestOf(row, workspaceId, kinds, compiled);
  if (request === null) return null;
  const { verdict, reason } = decide(compiled, request);
  // a rule asks for something that was not kept then
  if (lacksFacts(reason.key, request, compiled) && (row.reason as Explanation).key !== reason.key) return null;
  return { capability: request.capability.name, verdict, reason };
}

type StoredDecision = { run_id: string; action: string; context: unknown };
/** The kinds of connections by their ids. */
export type ConnectionKinds = ReadonlyMap<string, DecisionRequest['connection']['kind']>;

function lacksFacts(key: string, { circumstances }: DecisionRequest, { asked }: CompiledPolicies): boolean {
  return key === 'policyInputUnfit' || (key === 'policyFailed' && !knowsAsked(asked, circumstances));
}

/** The kept fields of the input, where they suffice for the rules that would be asked now. */
function inputOf(kept: NonNullable<DecisionResult['context']>, tools: CompiledPolicies['tools']): DecisionRequest['input'] {
  const action = toolAction(kept.connection, kept.capability);
  const paths = tools.get(action)?.paths;
  if (paths === undefined) return null;
  // rules that name a tool and compare nothing of its input are asked of older decisions too
  const nothing = paths.length === 0 ? { record: {}, paths: [] } : null;
  const facts = kept.input === undefined ? nothing : factsFromKept(kept.input, paths);
  return facts === null ? null : { action, ...facts };
}

/** The request of then, rebuilt from what was stored; null: too little was stored. */
export function requestOf(
  row: StoredDecision,
  workspaceId: string,
  kinds: ConnectionKinds,
  { tools }: Pick<CompiledPolicies, 'tools'>,
): DecisionRequest | null {
  const kept = row.context as DecisionResult['context'];
  const action = ACTIONS.find((known) => known === row.action);
  const kind = kept === null ? undefined : kinds.get(kept.connectionId);
  const risk = RISKS.find((known): known is Risk => known === kept?.risk);
  // what the input was before rules changed it was not kept
  if (kept?.changed !== undefined) return null;
  if (kept === null || action === undefined || kind === undefined || risk === undefined) return null;
  return {
    workspaceId,
    runId: row.run_id,
    mode: kept.mode === 'test' ? 'test' : 'live',
    initiator: { id: kept.initiatorId, roles: kept.roles.filter(isRole) },
    action,
    connection: {
      id: kept.connectionId,
      slug: kept.connection,
      kind,
      personalDataAllowed: kept.personalDataAllowed,
      builtin: kept.builtin,
    },
    capability: { id: kept.capabilityId, name: kept.capability, kind: KIND_OF[action], state: kept.capabilityState as CapabilityState },
    facts: { personalData: kept.personalData, risk, findings: kept.findings },
    input: inputOf(kept, tools),
    circumstances: kept.circumstances ?? null,
    ...(kept.approvalId === null ? {} : { approval: { id: kept.approvalId, approvedBy: kept.approvedBy } }),
  };
}
