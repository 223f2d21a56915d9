import type { Json } from '#app/contracts/json.ts';
import { isRole } from '#app/domain/people/roles.ts';
import { sumRiskFacts } from '#app/domain/runs/risk.ts';
import { personalDataKinds } from '#app/engine/personal-data/find-personal-data.ts';
import { hostOf, localTime } from '#app/engine/policy/circumstances.ts';
import { decide } from '#app/engine/policy/decide.ts';
import type { Circumstances, DecisionRequest, DecisionResult } from '#app/engine/policy/decision-request.ts';
import { calledInput } from '#app/engine/policy/inputs/called-input.ts';
import { toolAction } from '#app/engine/policy/inputs/named-inputs.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import type { RunConfig, RunConnection } from '#app/engine/runs/run-config.ts';
import { type RunExecution, spentBefore } from '#app/engine/runs/run-execution.ts';
import type { Activity } from '#app/engine/runs/steps/activity.ts';
import { actionOf } from '#app/engine/runs/steps/call-kinds.ts';
import { actionDigest } from '#app/engine/runs/steps/digest.ts';

const POLICY_APPROVAL_HOURS = 72;

export type Decided = {
  row: Omit<DecisionResult, 'policyVersion' | 'terms'> & { id: string; action: string; actionDigest: string; policyVersion: string };
  approval: { [key: string]: Json } | null;
};

/** The decision of the policies on one call, and the approval it would wait for. Throws a RangeError or a TypeError for input that cannot be judged. */
export function decideCall(
  { execution, step, path, given }: Activity,
  config: RunConfig,
  target: RoutableCapability,
  connection: RunConnection,
  input: { [key: string]: Json },
): Decided {
  const { deps, run, claim } = execution;
  const subject = {
    workspaceId: run.workspaceId,
    runId: run.runId,
    stepPath: path,
    connection: { id: connection.id, name: connection.name, slug: connection.slug, kind: connection.kind },
    capability: { id: target.id, name: target.name, kind: target.kind, fingerprint: target.fingerprint },
    input,
    policyVersion: config.policies.policyVersion,
  };
  const digest = actionDigest(subject);
  const { risk, findings } = sumRiskFacts(execution.facts.values());
  const request: DecisionRequest = {
    workspaceId: run.workspaceId,
    runId: run.runId,
    mode: execution.judgedAs,
    initiator: { id: claim.initiatorId, roles: claim.initiatorRoles.filter(isRole) },
    action: actionOf(step),
    connection: {
      id: connection.id,
      slug: connection.slug,
      kind: connection.kind,
      personalDataAllowed: connection.personalDataAllowed,
      builtin: connection.endpoint.startsWith('builtin:'),
    },
    capability: { id: target.id, name: target.name, kind: target.kind, state: target.state },
    facts: { personalData: personalDataKinds(input), risk, findings },
    input: actionOf(step) === 'call_tool' ? calledInput(config.policies, toolAction(connection.slug, target.name), input) : null,
    circumstances: circumstancesOf(execution, path, { agent: given?.agent ?? '', connection, zone: config.timeZone }),
  };
  execution.calls.paths.add(path);
  let decision = decide(config.policies, request);
  let approval: { [key: string]: Json } | null = null;
  if (decision.verdict === 'require_approval') {
    approval = {
      id: deps.newId(),
      eventId: deps.newId(),
      title: step.name,
      subject: subject as unknown as Json,
      reason: decision.reason,
      risk,
      quorum: decision.terms?.quorum ?? 1,
      dueHours: decision.terms?.dueHours ?? POLICY_APPROVAL_HOURS,
    };
    const given = execution.approvals.find(
      (open) => open.path === path && open.digest === digest && (open.status === 'approved' || open.status === 'consumed'),
    );
    if (given !== undefined) decision = decide(config.policies, { ...request, approval: { id: given.id, approvedBy: given.approvedBy } });
  }
  const { terms: _, ...decided } = decision;
  return { row: { ...decided, id: deps.newId(), action: request.action, actionDigest: digest }, approval };
}

function circumstancesOf(
  execution: RunExecution,
  path: string,
  { agent, connection, zone }: { agent: string; connection: RunConnection; zone: string },
): Circumstances {
  const { claim, deps } = execution;
  const { calls, costMicros } = spentBefore(execution, path);
  return {
    workflow: { id: claim.artifactId, name: claim.artifactName },
    agent,
    requesterIsAuthor: claim.versionAuthorId === claim.initiatorId,
    host: hostOf(connection.endpoint),
    time: localTime(deps.clock.now(), zone),
    callsInRun: calls,
    costInRunMicros: costMicros,
  };
}
