import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { CONTROL_VOTE_REFUSALS } from '#app/engine/control/control-refusals.ts';
import { resourceOfChange } from '#app/engine/control/request-control-change.ts';
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
    const resource = resourceOfChange({ id, kind: subject.kind, resource: { id: subject.resource, name } });
    const action = subject.kind === 'member_roles' ? 'member.rolesWithdrawn' : 'change.withdrawn';
    return { result: null, event: { action, resource, payload } };
  },
});
