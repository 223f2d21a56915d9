-- For workspaces from now on: an approval stands before what leaves or pays, not before a check or a redaction inside this instance.
-- Workspaces that stand keep their policy, which is theirs to change.
create or replace function quorate.shipped_policies() returns table (name text, description text, tag text, body text)
language sql immutable set search_path = '' as $$
  values
  ('Personal data stays', 'Personal data must not leave to a connection that is not approved for personal data.', 'personal-data-stays',
$policy$// Personal data stays with connections that somebody approved for it.
// What is built into this instance sends nothing anywhere.
@id("personal_data_leaves")
@verdict("deny")
@reason("policyPersonalDataLeaves")
forbid(principal, action, resource)
when { !context.personalData.isEmpty() }
unless { resource.connection.personalDataAllowed || resource.connection.builtin };
$policy$),
  ('High risk needs an approver', 'After a high-risk finding, a named approver decides before anything leaves this instance.',
    'high-risk-needs-an-approver',
$policy$// After a high-risk finding a named person decides on every call that leaves this instance.
// What is built into it checks, redacts and computes: it pays nobody and sends nothing anywhere.
@id("high_risk_finding")
@verdict("require_approval")
@reason("policyHighRiskNeedsApprover")
forbid(principal, action, resource)
when { context.risk == "high" }
unless { resource.connection.builtin };
$policy$),
  ('Only approved definitions', 'A tool whose definition changed, or was never approved, may not be called.', 'only-approved-definitions',
$policy$// A tool or an agent's skill is called only as it was approved.
@id("definition_approved")
@verdict("deny")
@reason("policyCapabilityNotApproved")
forbid(principal, action, resource)
unless { resource.state == "approved" };
$policy$)
$$;
