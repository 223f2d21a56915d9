import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand } from '#app/engine/commands/command.ts';

/** Whether an assertion of this provider is seen for the first time in the workspace. Its id is kept until it has run out. */
export const takeAssertion = defineInstanceCommand({
  input: z.object({ provider: z.uuid(), workspace: z.uuid(), issuer: z.string(), id: z.string(), until: z.date() }),
  actions: [],
  repeat: 'refused',
  async change({ db }, { provider, workspace, issuer, id, until }): Promise<boolean> {
    const key = createHash('sha256')
      .update(JSON.stringify(['assertion', workspace, issuer, id]))
      .digest();
    const { rows } = await sql<{ first: boolean }>`
      select quorate.take_company_assertion(${provider}, ${key}, ${until}) as first`.execute(db);
    return rows[0]?.first ?? false;
  },
});
