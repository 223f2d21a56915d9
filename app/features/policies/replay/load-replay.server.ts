import { data, type RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { policyText } from '#app/engine/policy/author-policy.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';
import { replayPolicies } from '#app/engine/policy/replay-policy.ts';
import { readPolicy } from '#app/features/policies/load-policy.server.ts';
import { REPLAY_RUNS } from '#app/features/policies/replay/replay-runs.ts';

const SHOWN = 100;

/** The decisions of the latest runs if this policy's draft had been active beside all others. */
export async function loadReplay({
  params,
  url,
  context,
}: {
  params: { policy: string };
  url: URL;
  context: Readonly<RouterContextProvider>;
}) {
  const { member, read } = context.get(memberContext);
  if (!can(member.roles, 'seeAllRuns')) throw data({ code: 'forbidden' }, { status: 403 });
  const runs = REPLAY_RUNS.find((count) => String(count) === url.searchParams.get('runs')) ?? REPLAY_RUNS[0];
  const found = await read(async (db) => {
    const policy = await readPolicy(db, params.policy);
    if (policy === null) return null;
    const text = policyText(policy.draft ?? policy.document) ?? '';
    const base = { id: policy.id, name: policy.name, isDraft: policy.draft !== null, runs };
    if (readPolicyText(text).issues.length > 0) return { ...base, valid: false as const };
    const others = (await loadPolicySources(db)).filter(({ policyId }) => policyId !== policy.id);
    const sources = [...others, { policyId: policy.id, policyName: policy.name, version: 0, text }];
    return { ...base, valid: true as const, ...(await replayed(db, sources, { workspaceId: member.workspace.id, runs })) };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  return found;
}
export type LoadedReplay = Awaited<ReturnType<typeof loadReplay>>;

/**
 * The decisions of the latest runs if a version of a policy were in force beside all others, or, not `active`, if the policy were not. Null
 * for whoever does not see all runs.
 */
export async function loadVersionReplay(
  context: Readonly<RouterContextProvider>,
  { policy, name, number, active }: { policy: string; name: string; number: number | null; active: boolean },
): Promise<Replayed | null> {
  const { member, read } = context.get(memberContext);
  if (!can(member.roles, 'seeAllRuns')) return null;
  const asked = { workspaceId: member.workspace.id, runs: REPLAY_RUNS[0] };
  return read(async (db) => {
    const others = (await loadPolicySources(db)).filter(({ policyId }) => policyId !== policy);
    if (!active) return replayed(db, others, asked);
    const { document } = await db
      .selectFrom('quorate.versions')
      .where('artifact_id', '=', policy)
      .where('number', '=', number)
      .select('document')
      .executeTakeFirstOrThrow();
    return replayed(db, [...others, { policyId: policy, policyName: name, version: number ?? 0, text: policyText(document) ?? '' }], asked);
  });
}

async function replayed(db: Db, sources: Parameters<typeof replayPolicies>[1], asked: Parameters<typeof replayPolicies>[2]) {
  const replay = await replayPolicies(db, sources, asked);
  return {
    replayed: replay.runs,
    decided: replay.decided,
    unreadable: replay.unreadable,
    changes: replay.changed.length,
    changed: replay.changed.slice(0, SHOWN).map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}
export type Replayed = Awaited<ReturnType<typeof replayed>>;
