import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Evidence that leaves without anybody’s agreement: the proof of one entry, of a run, or a page of entries as a table. */
const KINDS = ['entry', 'run', 'table'] as const;

/** Records that somebody takes little evidence out, before it leaves. `of`: the run or the entry; null for a table. */
export const exportEvidence = defineCommand({
  permission: 'exportEvidence',
  scope: null,
  input: z.object({
    kind: z.enum(KINDS),
    file: z.string().min(1).max(200),
    of: z.uuid().nullable().default(null),
  }),
  actions: ['evidence.exported'],
  changes: [],
  repeat: 'repeats',
  async change({ principal }, { kind, file, of }) {
    const { id, name } = principal.workspace;
    const resource = kind === 'run' && of !== null ? { kind, id: of } : { kind: 'workspace', id, name };
    const payload = { kind, file, ...(kind === 'entry' && of !== null && { entry: of }) };
    return { result: null, event: { action: 'evidence.exported', resource, payload } };
  },
});
