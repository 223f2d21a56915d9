import { z } from 'zod';
import { CONTROL_VOTES, type ControlKind } from '#app/contracts/statuses.ts';
import { type ControlSubject, permitsOf } from '#app/domain/control/control-subject.ts';
import { readSignature, statedSchema } from '#app/engine/approvals/signature.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import { LAST_ADMIN } from '#app/engine/commands/members/member-states.ts';
import { CONTROL_VOTE_REFUSALS } from '#app/engine/control/control-refusals.ts';
import { resourceOfChange } from '#app/engine/control/request-control-change.ts';
import { type ControlDecision, readControlChange, voteControlChange } from '#app/engine/control/vote-control-change.ts';

const ACTIONS = {
  policy_publish: 'policy.published',
  policy_pause: 'policy.paused',
  policy_activate: 'policy.activated',
  member_roles: 'member.rolesChanged',
  member_remove: 'member.removed',
  workflow_publish: 'workflow.published',
  agent_publish: 'agent.published',
  workspace_settings: 'workspace.configured',
  workspace_proof: 'workspace.configured',
  workspace_network: 'workspace.configured',
  workspace_checkpoints: 'workspace.configured',
  workspace_sign_in: 'workspace.configured',
  workspace_groups: 'workspace.configured',
  workspace_sessions: 'workspace.configured',
  connection_approve: 'capability.approved',
  connection_permits: 'connection.personalDataAllowed',
  connection_credential: 'connection.keyRotated',
  inventory_risk: 'agent.recorded',
  evidence_export: 'evidence.exportAllowed',
} as const satisfies Record<ControlKind, string>;
type Decided = (typeof ACTIONS)[ControlKind] | 'connection.repeatAllowed' | 'change.rejected' | 'member.rolesRefused' | 'breakGlass.ended';

/** Things of the log, of changes whose kind begins with another word. */
const THINGS: Readonly<Record<string, string>> = { inventory: 'agent', evidence: 'workspace' };

/** The event of what a change does; of a connection, the permission that it gives. */
function actionOf({ kind, before, after }: ControlSubject) {
  const repeats = kind === 'connection_permits' && permitsOf(before)?.personalData === permitsOf(after)?.personalData;
  return repeats ? 'connection.repeatAllowed' : ACTIONS[kind];
}

/**
 * Approves a control change, which makes it, or rejects it. The event of an approval is the change itself. One that break-glass made stays,
 * or is undone before its time.
 */
export const decideControlChange = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    change: z.uuid(),
    vote: z.enum(CONTROL_VOTES),
    reason: z.string().max(2000),
    digest: z.string(),
    ...statedSchema,
  }),
  actions: [...new Set(Object.values(ACTIONS)), 'connection.repeatAllowed', 'change.rejected', 'member.rolesRefused', 'breakGlass.ended'],
  changes: [],
  repeat: 'refused',
  refusals: { ...CONTROL_VOTE_REFUSALS, [LAST_ADMIN]: { code: 'conflict', reasons: [{ key: 'lastAdmin' }] } },
  async change({ db, principal }, given): Promise<{ result: { status: ControlDecision }; event: EventOf<Decided> }> {
    const { id, name, subject, digest, requestedBy } = await readControlChange(db, given.change);
    const status = await voteControlChange(db, given);
    const { kind, before, after } = subject;
    const [noun = ''] = kind.split('_');
    const of = { kind: THINGS[noun] ?? noun, id: subject.resource, name };
    const signature = await readSignature(db, 'change', id, principal.userId);
    // With `kind`, `before` and `after`, all that the digest covers.
    const signed = { subject: subject.resource, asked: subject.reason };
    const payload = { change: id, kind, before, after, digest, requestedBy, reason: given.reason, ...signed, signature };
    if (status === 'approved') return { result: { status }, event: { action: actionOf(subject), resource: of, payload } };
    const resource = resourceOfChange({ id, kind, resource: { id: subject.resource, name } });
    if (status !== 'rejected')
      return { result: { status }, event: { action: 'breakGlass.ended', resource, payload: { ...payload, outcome: status } } };
    if (kind === 'member_roles') return { result: { status }, event: { action: 'member.rolesRefused', resource: of, payload } };
    return { result: { status }, event: { action: 'change.rejected', resource, payload } };
  },
});
