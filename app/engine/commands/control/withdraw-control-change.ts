import { z } from 'zod';
import type { BreakGlassOutcome } from '#app/contracts/statuses.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import { CONTROL_VOTE_REFUSALS } from '#app/engine/control/control-refusals.ts';
import { resourceOfChange } from '#app/engine/control/request-control-change.ts';
import { readControlChange, withdrawControlChange as takeBack } from '#app/engine/control/vote-control-change.ts';

/** Takes back a control change that still waits, for who asked for it; ends break-glass before its time, for who broke it. */
export const withdrawControlChange = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ change: z.uuid() }),
  actions: ['change.withdrawn', 'member.rolesWithdrawn', 'breakGlass.ended'],
  changes: [],
  repeat: 'refused',
  refusals: CONTROL_VOTE_REFUSALS,
  async change(
    { db },
    { change },
  ): Promise<{
    result: { outcome: BreakGlassOutcome | null };
    event: EventOf<'change.withdrawn' | 'member.rolesWithdrawn' | 'breakGlass.ended'>;
  }> {
    const { id, name, subject, digest } = await readControlChange(db, change);
    const outcome = await takeBack(db, change);
    const payload = { change: id, kind: subject.kind, digest };
    const resource = resourceOfChange({ id, kind: subject.kind, resource: { id: subject.resource, name } });
    if (outcome !== null) return { result: { outcome }, event: { action: 'breakGlass.ended', resource, payload: { ...payload, outcome } } };
    const action = subject.kind === 'member_roles' ? 'member.rolesWithdrawn' : 'change.withdrawn';
    return { result: { outcome }, event: { action, resource, payload } };
  },
});
