import { data, type RouterContextProvider } from 'react-router';
import { sayShipped } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { policyText } from '#app/engine/policy/author-policy.ts';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';
import { replayInstead } from '#app/engine/policy/replay-change.ts';
import { readPolicy } from '#app/features/policies/load-policy.server.ts';
import { REPLAY_RUNS } from '#app/features/policies/replay/replay-runs.ts';

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
    const base = { id: policy.id, name: sayShipped(context)(policy.name), isDraft: policy.draft !== null, runs };
    if (readPolicyText(text).issues.length > 0) return { ...base, valid: false as const };
    const instead = { policyId: policy.id, policyName: policy.name, version: 0, text };
    const replay = await replayInstead(db, { policyId: policy.id, instead, workspaceId: member.workspace.id, runs });
    return { ...base, valid: true as const, ...replay };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  return found;
}
export type LoadedReplay = Awaited<ReturnType<typeof loadReplay>>;
