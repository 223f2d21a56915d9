import { z } from 'zod';
import { isOfTheLog } from '#app/domain/control/evidence-export.ts';
import { evidenceExportSchema } from '#app/domain/control/evidence-export-schema.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { takeFile } from '#app/engine/control/evidence-grants.ts';

/** The word of the refusal of whoever has not asked, or has taken it already. */
export const ASK_FIRST = 'evidenceAsk';

/**
 * Takes one file of an export out, before it leaves: each once, and after another person has agreed to exactly this export, where there is
 * one. `part`: its name in the export, `file`: the name under which it leaves.
 */
export const takeEvidence = defineCommand({
  permission: 'seeAllRuns',
  scope: null,
  input: z.object({ export: evidenceExportSchema, part: z.string().max(40), file: z.string().min(1).max(200) }),
  actions: ['evidence.exported'],
  changes: [],
  repeat: 'refused',
  refusals: { QP005: { code: 'forbidden', reasons: [{ key: ASK_FIRST }] } },
  async change({ db, principal }, { export: exported, part, file }) {
    if (isOfTheLog(exported)) assertPermission(principal.roles, 'exportEvidence');
    const change = await takeFile(db, exported, part);
    const { id, name } = principal.workspace;
    const payload = { ...exported, file, ...(change === null ? { separated: false } : { change }) };
    return { result: null, event: { action: 'evidence.exported', resource: { kind: 'workspace', id, name }, payload } };
  },
});
