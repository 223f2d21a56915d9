import { sql } from 'kysely';
import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Changes how one is called in the workspace. */
export const renameSelf = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ name: z.string().trim().min(1).max(80) }),
  actions: ['member.renamed'],
  changes: ['quorate.members'],
  repeat: 'overwrites',
  async change({ db, principal }, { name }) {
    await sql`select quorate.rename_self(${name})`.execute(db);
    const resource = { kind: 'member', id: principal.userId, name };
    return { result: null, event: { action: 'member.renamed', resource, payload: { before: principal.name } } };
  },
});
