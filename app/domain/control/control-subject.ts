import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';
import { ARTIFACT_STATUSES, CONTROL_KINDS } from '#app/contracts/statuses.ts';

const policyState = z.strictObject({ status: z.enum(ARTIFACT_STATUSES), versionId: z.string().nullable() });
const memberState = z.strictObject({ roles: z.array(z.enum(ROLES)) });

/** A policy as far as it is in force, or a member's roles. */
export type ControlState = z.infer<typeof policyState> | z.infer<typeof memberState>;

/**
 * The state before and after a control change; `after` is null where a member is removed. The digest of a change is the SHA-256
 * over the RFC 8785 form of its subject.
 */
export const controlSubjectSchema = z.strictObject({
  kind: z.enum(CONTROL_KINDS),
  workspace: z.string(),
  /** Id of the policy or the member. */
  resource: z.string(),
  before: z.union([policyState, memberState]),
  after: z.union([policyState, memberState]).nullable(),
  reason: z.string(),
});
export type ControlSubject = z.infer<typeof controlSubjectSchema>;

/** Characters of the reason that who asks gives. */
export const CONTROL_REASON_MAX = 1000;

export const rolesOf = (state: ControlState | null) => (state !== null && 'roles' in state ? state.roles : []);
export const versionOf = (state: ControlState | null) => (state !== null && 'versionId' in state ? state.versionId : null);
