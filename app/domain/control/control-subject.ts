import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';
import { ARTIFACT_STATUSES, CONTROL_KINDS, type ControlKind } from '#app/contracts/statuses.ts';
import { askedExportSchema } from '#app/domain/control/evidence-export-schema.ts';
import { RISK_CLASSES } from '#app/domain/inventory/agent-record.ts';
import { groupRolesSchema, signInStateSchema } from '#app/domain/people/company-sign-in.ts';
import { sessionRulesSchema } from '#app/domain/people/session-rules.ts';
import { proofSettingsSchema } from '#app/domain/proof/proof-settings.ts';

const forceState = z.strictObject({ status: z.enum(ARTIFACT_STATUSES), versionId: z.string().nullable() });
const memberState = z.strictObject({ roles: z.array(z.enum(ROLES)) });
const settingsState = z.strictObject({ reviewsEffects: z.boolean() });
const proofState = z.strictObject({ proof: proofSettingsSchema });
/** By the id of each capability that it is about, the fingerprint that is approved; null: none. */
const approvalState = z.strictObject({ approved: z.record(z.string(), z.string().nullable()) });

const permitsState = z.strictObject({ personalData: z.boolean(), repeats: z.boolean() });

const networkState = z.strictObject({ network: z.union([z.literal('instance'), z.array(z.string())]) });
/** Of an address that checkpoints go to, the host and the SHA-256 (hex): it may hold a secret. */
const checkpointsState = z.strictObject({
  mail: z.boolean(),
  webhook: z.strictObject({ host: z.string(), digest: z.string() }).nullable(),
});
export type CheckpointsState = z.infer<typeof checkpointsState>;
/** SHA-256 (hex) of the credential as it is kept sealed; null: none. */
const credentialState = z.strictObject({ credential: z.string().nullable() });

/** The class of an agent in the inventory; null: not classed. */
const riskState = z.strictObject({ riskClass: z.enum(RISK_CLASSES).nullable() });
const groupsState = z.strictObject({ groups: groupRolesSchema });
/** Evidence, and whether it may leave. */
const exportState = z.strictObject({ export: askedExportSchema, granted: z.boolean() });

const state = z.union([
  forceState,
  memberState,
  settingsState,
  proofState,
  networkState,
  checkpointsState,
  signInStateSchema,
  groupsState,
  sessionRulesSchema,
  approvalState,
  permitsState,
  credentialState,
  riskState,
  exportState,
]);

/** A policy, workflow or agent as far as it is in force, a member's roles, settings of the workspace, what of a connection is approved, permitted or used to sign in, or whether evidence may leave. */
export type ControlState = z.infer<typeof state>;

/**
 * The state before and after a control change; `after` is null where a member is removed. The digest of a change is the SHA-256
 * over the RFC 8785 form of its subject.
 */
export const controlSubjectSchema = z.strictObject({
  kind: z.enum(CONTROL_KINDS),
  workspace: z.string(),
  /** Id of the policy, workflow, agent, member, connection or workspace. */
  resource: z.string(),
  before: state,
  after: state.nullable(),
  reason: z.string(),
});
export type ControlSubject = z.infer<typeof controlSubjectSchema>;

/** The kind of artifact that a change is about; null where it is about something else. The same in `quorate.artifact_of_control`. */
export function artifactOf(kind: ControlKind): 'policy' | 'workflow' | 'agent' | null {
  const [noun] = kind.split('_');
  return noun === 'policy' || noun === 'workflow' || noun === 'agent' ? noun : null;
}

export const rolesOf = (state: ControlState | null) => (state !== null && 'roles' in state ? state.roles : []);
export const approvedOf = (state: ControlState | null) => (state !== null && 'approved' in state ? state.approved : null);
export const permitsOf = (state: ControlState | null) => (state !== null && 'repeats' in state ? state : null);
export const networkOf = (state: ControlState | null) => (state !== null && 'network' in state ? state.network : null);
export const checkpointsOf = (state: ControlState | null) => (state !== null && 'mail' in state ? state : null);
export const signInOf = (state: ControlState | null) => (state !== null && 'enforced' in state ? state : null);
export const groupsOf = (state: ControlState | null) => (state !== null && 'groups' in state ? state.groups : null);
export const sessionsOf = (state: ControlState | null) => (state !== null && 'idleMinutes' in state ? state : null);
export const credentialOf = (state: ControlState | null) => (state !== null && 'credential' in state ? state.credential : null);
export const riskClassOf = (state: ControlState | null) => (state !== null && 'riskClass' in state ? state.riskClass : null);
export const exportOf = (state: ControlState | null) => (state !== null && 'granted' in state ? state.export : null);
export const settingsOf = (state: ControlState | null) => (state !== null && 'reviewsEffects' in state ? state : null);
export const proofOf = (state: ControlState | null) => (state !== null && 'proof' in state ? state.proof : null);
export const versionOf = (state: ControlState | null) => (state !== null && 'versionId' in state ? state.versionId : null);
