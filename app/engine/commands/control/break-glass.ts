import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { startBreakGlass } from '#app/engine/control/break-glass.ts';
import { CONTROL_VOTE_REFUSALS } from '#app/engine/control/control-refusals.ts';
import { resourceOfChange } from '#app/engine/control/request-control-change.ts';
import { readControlChange } from '#app/engine/control/vote-control-change.ts';

/**
 * Puts a control change that waits into effect by one person, for a day at most. Everybody who decides or audits is told, it is undone when
 * the time is over, and all that is recorded meanwhile names it.
 */
export const breakGlass = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    change: z.uuid(),
    reason: z.string().max(1000),
    digest: z.string(),
    hours: z.number().int().min(1).max(24),
  }),
  actions: ['breakGlass.started'],
  changes: [],
  repeat: 'refused',
  refusals: CONTROL_VOTE_REFUSALS,
  async change({ db }, given) {
    const { id, name, subject, digest, requestedBy } = await readControlChange(db, given.change);
    const until = (await startBreakGlass(db, given)).toISOString();
    const { kind, before, after } = subject;
    const payload = { change: id, kind, before, after, digest, requestedBy, reason: given.reason, until };
    const resource = resourceOfChange({ id, kind, resource: { id: subject.resource, name } });
    return { result: { until }, event: { action: 'breakGlass.started', resource, payload } };
  },
});
