import type { Json } from '#app/contracts/json.ts';
import { isRole } from '#app/domain/people/roles.ts';
import { sumRiskFacts } from '#app/domain/runs/risk.ts';
import { hostOf, localTime } from '#app/engine/policy/circumstances.ts';
import { decideChanging } from '#app/engine/policy/decide-changing.ts';
import type { Circumstances, DecisionResult } from '#app/engine/policy/decision-request.ts';
import { payeeOf } from '#app/engine/policy/inputs/payee.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import type { RunConfig, RunConnection } from '#app/engine/runs/run-config.ts';
import { type RunExecution, spentBefore } from '#app/engine/runs/run-execution.ts';
import type { Activity } from '#app/engine/runs/steps/activity.ts';
import { actionOf } from '#app/engine/runs/steps/call-kinds.ts';
import { actionDigest } from '#app/engine/runs/steps/digest.ts';

const POLICY_APPROVAL_HOURS = 72;

type Outside = NonNullable<Circumstances['outside']>;

export type Decided = {
  row: Omit<DecisionResult, 'policyVersion' | 'terms' | 'changes'> & {
    id: string;
    action: string;
    actionDigest: string;
    policyVersion: string;
  };
  approval: { [key: string]: Json } | null;
  /** The input as rules have left it: only this is sent. */
  input: { [key: string]: Json };
};

/** The decision of the policies on one call, and the approval it would wait for. Throws a RangeError or a TypeError for input that cannot be judged. */
export function decideCall(
  { execution, step, path, given }: Activity,
  config: RunConfig,
  { target, connection, outside }: { target: RoutableCapability; connection: RunConnection; outside: Outside | null },
  input: { [key: string]: Json },
): Decided {
  const { deps, run, claim } = execution;
  const { risk, findings } = sumRiskFacts(execution.facts.values());
  const action = actionOf(step);
  execution.calls.paths.add(path);
  const { policies } = config;
  const decided = decideChanging(
    policies,
    {
      workspaceId: run.workspaceId,
      runId: run.runId,
      mode: execution.judgedAs,
      initiator: { id: claim.initiatorId, roles: claim.initiatorRoles.filter(isRole) },
      action,
      connection: {
        id: connection.id,
        slug: connection.slug,
        kind: connection.kind,
        personalDataAllowed: connection.personalDataAllowed,
        builtin: connection.endpoint.startsWith('builtin:'),
      },
      capability: { id: target.id, name: target.name, kind: target.kind, state: target.state },
      facts: { personalData: [], risk, findings },
      circumstances: {
        ...circumstancesOf(execution, path, { agent: given?.agent ?? '', connection, zone: config.timeZone }),
        payee: payeeOf(run.workspaceId, input),
        ...(outside !== null && { outside: countedHere(execution, path, outside) }),
      },
    },
    input,
  );
  const subjectOf = (sent: typeof input) => ({
    workspaceId: run.workspaceId,
    runId: run.runId,
    stepPath: path,
    connection: { id: connection.id, name: connection.name, slug: connection.slug, kind: connection.kind },
    capability: { id: target.id, name: target.name, kind: target.kind, fingerprint: target.fingerprint },
    input: sent,
    policyVersion: policies.policyVersion,
  });
  // an approver sees and binds what will be sent
  const subject = subjectOf(decided.input);
  const digest = actionDigest(subject);
  let { decision } = decided;
  let approval: { [key: string]: Json } | null = null;
  if (decision.verdict === 'require_approval') {
    const { quorum = 1, dueHours = null, ...demands } = decision.terms ?? {};
    approval = {
      id: deps.newId(),
      eventId: deps.newId(),
      title: step.name,
      subject: subject as unknown as Json,
      reason: decision.reason,
      risk,
      ...{ quorum, dueHours: dueHours ?? POLICY_APPROVAL_HOURS, ...demands },
    };
    const released = execution.approvals.find(
      (open) => open.path === path && open.digest === digest && (open.status === 'approved' || open.status === 'consumed'),
    );
    if (released !== undefined) decision = decided.approved({ id: released.id, approvedBy: released.approvedBy });
  }
  const { terms: _, changes: __, ...kept } = decision;
  const { fields } = decided;
  const changed = fields.length === 0 ? {} : { changed: { before: actionDigest(subjectOf(input)), after: digest, fields } };
  const context = kept.context === null ? null : { ...kept.context, ...changed };
  return { row: { ...kept, context, id: deps.newId(), action, actionDigest: digest }, approval, input: decided.input };
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
    approvalsInRun: execution.approvals.filter((one) => one.path !== path && (one.status === 'approved' || one.status === 'consumed'))
      .length,
  };
}

/** With what this run has done before: the database counts the other runs. */
function countedHere(execution: RunExecution, path: string, outside: Outside): Outside {
  const { calls, costMicros } = spentBefore(execution, path);
  return { ...outside, callsToday: outside.callsToday + calls, costTodayMicros: outside.costTodayMicros + costMicros };
}

/**
 * Reads what lies outside the run, where a policy in force asks for it. A statement that fails fails the attempt, before anything is called.
 */
export async function readOutside(
  { execution, path }: Activity,
  { policies, timeZone }: RunConfig,
  input: { [key: string]: Json },
): Promise<Outside | null> {
  if (!policies.asked.outside) return null;
  const { deps, run } = execution;
  return deps.store.readOutside(run, { path, zone: timeZone, payee: payeeOf(run.workspaceId, input) });
}
