import type { RouterContextProvider } from 'react-router';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { POLICY_SCHEMA } from '#app/engine/policy/policy-schema.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { servicesContext } from '#app/request-context.ts';

/** The draft with what is wrong in it, and what a rule may speak of. */
export async function loadPolicyEditor({ params, context }: { params: { policy: string }; context: Readonly<RouterContextProvider> }) {
  const policy = await loadPolicyForEdit({ params, context });
  return {
    ...policy,
    rules: readRules(policy.text),
    issues: context.get(servicesContext).engine.validatePolicy(policy.text),
    schema: POLICY_SCHEMA.trim(),
  };
}
export type LoadedPolicyEditor = Awaited<ReturnType<typeof loadPolicyEditor>>;
