import { sql } from 'kysely';
import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import type { CheckpointsState } from '#app/domain/control/control-subject.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Sets whom the daily checkpoint is sent to. A further receiver is there at once; to end one, or to put another in its place, waits for
 * another person where there is one (result `requested`). AppError `conflict` where it is so already.
 */
export const sendCheckpoints = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    mail: z.boolean(),
    webhook: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .nullable(),
    reason: z.string().max(CONTROL_REASON_MAX).default(''),
  }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  weakens: ['workspace_checkpoints'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { mail, webhook, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const kept = JSON.stringify({ mail, webhook });
    const row = await db
      .selectFrom('quorate.workspaces')
      .where('id', '=', id)
      .select(['name'])
      .select([
        sql<CheckpointsState>`quorate.state_of_checkpoints(settings -> 'checkpoints')`.as('before'),
        sql<CheckpointsState>`quorate.state_of_checkpoints(${kept}::jsonb)`.as('after'),
        sql<boolean>`quorate.sends_less(settings -> 'checkpoints', ${kept}::jsonb)`.as('less'),
      ])
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { before, after, less } = row;
    if (before.mail === after.mail && before.webhook?.digest === after.webhook?.digest) throw new AppError('conflict');
    const resource = { id, name: row.name };
    if (less && (await secondPersonAgrees(db))) {
      const asked = { kind: 'workspace_checkpoints', resource, before, after, reason, secret: new TextEncoder().encode(kept) } as const;
      return requestControlChange(call, 'change.requested', asked);
    }
    await db
      .updateTable('quorate.workspaces')
      .set({ settings: sql<string>`settings || jsonb_build_object('checkpoints', ${kept}::jsonb)` as never })
      .where('id', '=', id)
      .execute();
    const payload = { from: { checkpoints: before }, to: { checkpoints: after }, ...(less && { separated: false, reason }) };
    return {
      result: { state: 'done' },
      event: { action: 'workspace.configured', resource: { kind: 'workspace', ...resource }, payload },
    };
  },
});
