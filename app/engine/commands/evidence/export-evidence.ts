import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Evidence that leaves: the proof of one entry, of a run, of a stretch of the log, its entries as a table, or a file of an evidence pack. */
const KINDS = ['entry', 'run', 'log', 'table', 'pack'] as const;

/**
 * Records that somebody takes evidence out, before it leaves. `of`: the run or the entry; null for what is of the whole workspace. `asked`:
 * what else the question named, such as the days of a pack.
 */
export const exportEvidence = defineCommand({
  permission: 'exportEvidence',
  scope: null,
  input: z.object({
    kind: z.enum(KINDS),
    file: z.string().min(1).max(200),
    of: z.uuid().nullable().default(null),
    asked: z.record(z.string().max(40), z.string().max(200)).default({}),
  }),
  actions: ['evidence.exported'],
  changes: [],
  repeat: 'repeats',
  async change({ principal }, { kind, file, of, asked }) {
    const { id, name } = principal.workspace;
    const resource = kind === 'run' && of !== null ? { kind, id: of } : { kind: 'workspace', id, name };
    const payload = { kind, file, ...(kind === 'entry' && of !== null && { entry: of }), ...asked };
    return { result: null, event: { action: 'evidence.exported', resource, payload } };
  },
});
