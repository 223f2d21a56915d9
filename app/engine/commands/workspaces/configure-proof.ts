import { sql } from 'kysely';
import { z } from 'zod';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { proofSettingsSchema } from '#app/domain/proof/proof-settings.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Sets who watches the log from outside. What only adds to the proof is done at once; a witness or an authority that goes, and a quorum that
 * fewer of the old witnesses can fill, wait for another person where there is one. AppError `conflict` where it is so already.
 */
export const configureProof = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ proof: proofSettingsSchema, reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  weakens: ['workspace_proof'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { proof, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const row = await db
      .selectFrom('quorate.workspaces')
      .where('id', '=', id)
      .select(['name', 'proof'])
      .select(sql<boolean>`quorate.weakens_proof(proof, ${JSON.stringify(proof)}::jsonb)`.as('weakens'))
      .forUpdate()
      .executeTakeFirstOrThrow();
    const before = proofSettingsSchema.parse(row.proof);
    if (canonicalJson(before) === canonicalJson(proof)) throw new AppError('conflict');
    const resource = { id, name: row.name };
    const [from, to] = [{ proof: before }, { proof }];
    if (row.weakens && (await secondPersonAgrees(db)))
      return requestControlChange(call, 'change.requested', { kind: 'workspace_proof', resource, before: from, after: to, reason });
    await db
      .updateTable('quorate.workspaces')
      .set({ proof: JSON.stringify(proof) })
      .where('id', '=', id)
      .execute();
    const payload = { from, to, ...(row.weakens && { separated: false, reason }) };
    return {
      result: { state: 'done' },
      event: { action: 'workspace.configured', resource: { kind: 'workspace', ...resource }, payload },
    };
  },
});
