import { sql } from 'kysely';
import { z } from 'zod';
import { bytesSchema, defineCommand } from '#app/engine/commands/command.ts';

const ACTIONS = ['account.factorAdded', 'account.factorRemoved', 'account.recoveryCodesRenewed'] as const;

/** Puts these hashes in the place of one's recovery codes, after the factor was added or removed, or for new codes alone. */
export const replaceRecoveryCodes = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ done: z.enum(ACTIONS), hashes: z.array(bytesSchema) }),
  actions: ACTIONS,
  changes: [],
  repeat: 'overwrites',
  async change({ db, principal }, { done, hashes }) {
    await sql`select quorate.replace_recovery_codes(${hashes}::bytea[])`.execute(db);
    return { result: null, event: { action: done, resource: { kind: 'member', id: principal.userId, name: principal.name } } };
  },
});
