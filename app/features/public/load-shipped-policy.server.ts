import { SHIPPED_POLICIES } from '#app/engine/policy/shipped/shipped-policies.ts';

/** The text of a policy that every workspace begins with. @throws Error where there is none by this name any longer */
export function loadShippedPolicy(): string {
  const policy = SHIPPED_POLICIES.find(({ slug }) => slug === 'high-risk-needs-an-approver');
  if (policy === undefined) throw new Error('the shipped policy has another name');
  return policy.text.trim();
}
