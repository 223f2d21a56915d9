/**
 * The policies that every workspace begins with. The database puts them into force together with the workspace (migration
 * `20261120100300_approvals.sql`); `tests/integration/policy/policy-authoring.spec.ts` holds the two texts together.
 */
export type ShippedPolicy = { slug: string; name: string; description: string; text: string };

const personalData = `// Personal data stays with connections that somebody approved for it.
// What is built into this instance sends nothing anywhere.
@id("personal_data_leaves")
@verdict("deny")
@reason("policyPersonalDataLeaves")
forbid(principal, action, resource)
when { !context.personalData.isEmpty() }
unless { resource.connection.personalDataAllowed || resource.connection.builtin };
`;

const highRisk = `// After a high-risk finding a named person decides on every call that leaves this instance.
// What is built into it checks, redacts and computes: it pays nobody and sends nothing anywhere.
@id("high_risk_finding")
@verdict("require_approval")
@reason("policyHighRiskNeedsApprover")
forbid(principal, action, resource)
when { context.risk == "high" }
unless { resource.connection.builtin };
`;

const approvedDefinitions = `// A tool or an agent's skill is called only as it was approved.
@id("definition_approved")
@verdict("deny")
@reason("policyCapabilityNotApproved")
forbid(principal, action, resource)
unless { resource.state == "approved" };
`;

export const SHIPPED_POLICIES: readonly ShippedPolicy[] = [
  {
    slug: 'personal-data-stays',
    name: 'Personal data stays',
    description: 'Personal data must not leave to a connection that is not approved for personal data.',
    text: personalData,
  },
  {
    slug: 'high-risk-needs-an-approver',
    name: 'High risk needs an approver',
    description: 'After a high-risk finding, a named approver decides before anything leaves this instance.',
    text: highRisk,
  },
  {
    slug: 'only-approved-definitions',
    name: 'Only approved definitions',
    description: 'A tool whose definition changed, or was never approved, may not be called.',
    text: approvedDefinitions,
  },
];
