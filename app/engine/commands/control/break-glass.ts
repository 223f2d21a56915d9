import { z } from 'zod';
import { amrOf, statedSchema } from '#app/engine/approvals/signature.ts';
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
    zone: statedSchema.zone,
  }),
  actions: ['breakGlass.started'],
  changes: [],
  repeat: 'refused',
  refusals: CONTROL_VOTE_REFUSALS,
  async change({ db }, { zone = null, ...given }) {
    const { id, name, subject, digest, requestedBy } = await readControlChange(db, given.change);
    const until = (await startBreakGlass(db, given)).toISOString();
    const { kind, before, after } = subject;
    const { method, started_at } = await db
      .selectFrom('quorate.break_glass')
      .select(['method', 'started_at'])
      .where('change_id', '=', id)
      .executeTakeFirstOrThrow();
    const signature = { meaning: 'responsible', method, amr: amrOf(method), zone, digest, at: started_at.toISOString() };
    const signed = { subject: subject.resource, asked: subject.reason };
    const payload = { change: id, kind, before, after, digest, requestedBy, reason: given.reason, until, ...signed, signature };
    const resource = resourceOfChange({ id, kind, resource: { id: subject.resource, name } });
    return { result: { until }, event: { action: 'breakGlass.started', resource, payload } };
  },
});
