import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { CONTROL_VOTE_REFUSALS } from '#app/engine/control/control-refusals.ts';
import { readControlChange, withdrawControlChange as takeBack } from '#app/engine/control/vote-control-change.ts';

/** Takes back a control change that still waits, for who asked for it. */
export const withdrawControlChange = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ change: z.uuid() }),
  actions: ['change.withdrawn', 'member.rolesWithdrawn'],
  changes: [],
  repeat: 'refused',
  refusals: CONTROL_VOTE_REFUSALS,
  async change({ db }, { change }) {
    const { id, name, subject, digest } = await readControlChange(db, change);
    await takeBack(db, change);
    const payload = { change: id, kind: subject.kind, digest };
    if (subject.kind === 'member_roles')
      return {
        result: null,
        event: { action: 'member.rolesWithdrawn', resource: { kind: 'member', id: subject.resource, name }, payload },
      };
    return { result: null, event: { action: 'change.withdrawn', resource: { kind: 'change', id, name }, payload } };
  },
});
