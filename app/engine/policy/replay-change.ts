import type { Db } from '#app/contracts/db.ts';
import { policyText } from '#app/engine/policy/author-policy.ts';
import type { PolicySource } from '#app/engine/policy/compile-policies.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { type Replayed, replayPolicies } from '#app/engine/policy/replay-policy.ts';

/** So many decisions that would be others are listed; `changes` counts them all. */
const LISTED = 100;

/** A replay as pages show it. `replayed`: runs, `decided`: decisions made again, `unreadable`: those of which too little was kept. */
export type PolicyReplay = {
  replayed: number;
  decided: number;
  unreadable: number;
  changes: number;
  changed: (Omit<Replayed, 'at'> & { at: string })[];
};

/** The decisions of the latest runs if `instead` had stood in place of a policy, beside all others in force; null: nothing in its place. */
export async function replayInstead(
  db: Db,
  { policyId, instead, ...asked }: { policyId: string; instead: PolicySource | null; workspaceId: string; runs: number },
): Promise<PolicyReplay> {
  const others = (await loadPolicySources(db)).filter((source) => source.policyId !== policyId);
  const replay = await replayPolicies(db, instead === null ? others : [...others, instead], asked);
  return {
    replayed: replay.runs,
    decided: replay.decided,
    unreadable: replay.unreadable,
    changes: replay.changed.length,
    changed: replay.changed.slice(0, LISTED).map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}

/** The same for a version of the policy; null: the policy out of force. */
export async function replayVersion(
  db: Db,
  { versionId, ...asked }: { policyId: string; versionId: string | null; workspaceId: string; runs: number },
): Promise<PolicyReplay> {
  return replayInstead(db, { ...asked, instead: versionId === null ? null : await readSource(db, versionId) });
}

/** A version of a policy as a source; throws where there is none. */
export async function readSource(db: Db, versionId: string): Promise<PolicySource> {
  const row = await db
    .selectFrom('quorate.versions as v')
    .innerJoin('quorate.artifacts as a', 'a.id', 'v.artifact_id')
    .select(['a.id', 'a.name', 'v.number', 'v.document'])
    .where('v.id', '=', versionId)
    .where('a.kind', '=', 'policy')
    .executeTakeFirstOrThrow();
  return { policyId: row.id, policyName: row.name, version: row.number ?? 0, text: policyText(row.document) ?? '' };
}
