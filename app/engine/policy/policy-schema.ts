/** The facts of every call, as the attributes of a Cedar record. */
export const CALL_FACTS = `  // "live" or "test"
  mode: String,
  // Kinds of personal data found in the input: "email", "iban", …
  personalData: Set<String>,
  // The highest risk found in earlier steps: "low", "medium" or "high"
  risk: String,
  // How many findings earlier steps reported
  findings: Long,
  // The workflow whose run makes the call
  workflow: { id: String, name: String },
  // Name of the workspace's own agent that makes the call; "" for a step of the workflow itself
  agent: String,
  // The person who started the run is the author of its version
  requesterIsAuthor: Bool,
  // The moment of the decision
  now: datetime,
  // The same on the clocks of the workspace: "monday" to "sunday", "2026-11-26", 0 to 23
  weekday: String,
  date: String,
  hour: Long,
  // Calls that this run has made before, and what they cost in US dollars
  callsInRun: Long,
  costInRun: decimal,
  // Approvals that this run was given before
  approvalsInRun: Long,
  // Calls of all live runs that the same person started today, this run included, and what they cost in US dollars
  callsToday: Long,
  costToday: decimal,
  // Live calls of the workspace that went to the same payee before, with success; 0 for a new one. Where the input names none, 0 for
  // rules about all calls, and a rule that names the tool refuses
  callsToPayee: Long,
  // Groups of the company's directory that who started the run is in, as written there and in small letters
  initiatorGroups: Set<String>,
  // Who approved exactly this call; missing until somebody has
  approvedBy?: Set<Member>,`;

/** The vocabulary of policies as a Cedar schema: the caller, the call, and the facts about it. */
export const POLICY_SCHEMA = `
// One of user, builder, approver, auditor, admin: principal in Role::"builder"
entity Role;
// Who started the run.
entity Member in [Role];
// kind: "mcp", "a2a", "model" or "app". builtin: part of this instance, so that nothing leaves it.
// host: the name of the computer that is called, "" where it is built in.
entity Connection { slug: String, kind: String, host: String, personalDataAllowed: Bool, builtin: Bool };
// kind: "tool", "skill" or "model". state: "pending", "approved", "changed" or "removed".
entity Capability { name: String, kind: String, state: String, connection: Connection };

type Call = {
${CALL_FACTS}
};

action call_tool, call_agent, call_model appliesTo { principal: Member, resource: Capability, context: Call };
`;

/**
 * Always in force, whatever a workspace publishes or pauses: without it nothing may be called, and what nobody approved, or
 * what changed since, is refused even where no policy says so.
 */
export const BASE_POLICIES = {
  'quorate.permit': 'permit(principal, action, resource);',
  'quorate.capability_approved': 'forbid(principal, action, resource) unless { resource.state == "approved" };',
} as const;
