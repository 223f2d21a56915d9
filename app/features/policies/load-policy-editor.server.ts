import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { POLICY_SCHEMA } from '#app/engine/policy/policy-schema.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { readWorkflowNames } from '#app/features/policies/rules/read-workflow-names.server.ts';

/** The draft with its faults, and the vocabulary of rules. */
export async function loadPolicyEditor({ params, context }: { params: { policy: string }; context: Readonly<RouterContextProvider> }) {
  const policy = await loadPolicyForEdit({ params, context });
  const { member, read } = context.get(memberContext);
  return {
    ...policy,
    /** Another person agrees before a version is in force. */
    asks: await read(secondPersonAgrees),
    rules: readRules(policy.text),
    workflows: await read((db) => readWorkflowNames(db, member.workspace.id)),
    issues: context.get(servicesContext).engine.validatePolicy(policy.text),
    schema: POLICY_SCHEMA.trim(),
  };
}
export type LoadedPolicyEditor = Awaited<ReturnType<typeof loadPolicyEditor>>;
