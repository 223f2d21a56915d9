import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Ends one of one's own sessions with its next request: no token has to run out. */
export const endSession = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ session: z.uuid() }),
  actions: ['session.ended'],
  changes: ['quorate.user_sessions'],
  repeat: 'refused',
  async change({ db, principal }, { session }) {
    const { rows } = await sql<{ ended: boolean }>`select quorate.end_own_session(${session}::uuid) as ended`.execute(db);
    if (rows[0]?.ended !== true) throw new AppError('not_found');
    const { userId: id, name } = principal;
    return { result: null, event: { action: 'session.ended', resource: { kind: 'member', id, name } } };
  },
});
