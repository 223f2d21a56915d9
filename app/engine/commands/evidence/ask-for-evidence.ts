import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { isOfTheLog } from '#app/domain/control/evidence-export.ts';
import { evidenceExportSchema } from '#app/domain/control/evidence-export-schema.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Asks another person whether evidence may leave: a pack, a stretch of the log, or a table of what everybody did. Where nobody else could
 * agree it may leave at once (result `done`), and the log says so.
 */
export const askForEvidence = defineCommand({
  permission: 'seeAllRuns',
  scope: null,
  input: z.object({ export: evidenceExportSchema, reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['evidence.exportAllowed', 'change.requested'],
  changes: [],
  repeat: 'refused',
  weakens: ['evidence_export'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { export: exported, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'evidence.exportAllowed' | 'change.requested'> }> {
    const { db, principal } = call;
    if (isOfTheLog(exported)) assertPermission(principal.roles, 'exportEvidence');
    const { id, name } = principal.workspace;
    const asked = { ...exported, by: principal.userId };
    if (await secondPersonAgrees(db))
      return requestControlChange(call, 'change.requested', {
        ...{ kind: 'evidence_export', resource: { id, name }, reason },
        ...{ before: { export: asked, granted: false }, after: { export: asked, granted: true } },
      });
    return {
      result: { state: 'done' },
      event: {
        action: 'evidence.exportAllowed',
        resource: { kind: 'workspace', id, name },
        payload: { export: asked, separated: false, reason },
      },
    };
  },
});
