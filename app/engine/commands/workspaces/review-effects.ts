import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Sets whether a version with effects waits for another person. Turned on it is at once; turned off it waits itself for another person
 * where there is one (result `requested`). AppError `conflict` where it is so already.
 */
export const reviewEffects = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ on: z.boolean(), reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  weakens: ['workspace_settings'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { on, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const row = await db
      .selectFrom('quorate.workspaces')
      .where('id', '=', id)
      .select(['name', 'reviews_effects'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.reviews_effects === on) throw new AppError('conflict');
    const resource = { id, name: row.name };
    const [before, after] = [{ reviewsEffects: !on }, { reviewsEffects: on }];
    if (!on && (await secondPersonAgrees(db))) {
      return requestControlChange(call, 'change.requested', { kind: 'workspace_settings', resource, before, after, reason });
    }
    await db.updateTable('quorate.workspaces').set({ reviews_effects: on }).where('id', '=', id).execute();
    const payload = { from: before, to: after, ...(!on && { separated: false, reason }) };
    return {
      result: { state: 'done' },
      event: { action: 'workspace.configured', resource: { kind: 'workspace', ...resource }, payload },
    };
  },
});
