import { z } from 'zod';
import { bytesSchema, definePersonalCommand } from '#app/engine/commands/command.ts';

export type TakenSignIn = { id: string; connectionId: string; forMember: boolean; host: string; sealed: Uint8Array; expired: boolean };

/**
 * Takes a consent by its state, once: the second time it is found by nobody, nor ever by another person or in another session of the same
 * one. Null: there is none.
 */
export const takeSignIn = definePersonalCommand({
  input: z.object({ stateDigest: bytesSchema }),
  changes: ['quorate.oauth_consents'],
  repeat: 'refused',
  async change({ db, userId, now }, { stateDigest }): Promise<TakenSignIn | null> {
    const at = now();
    const row = await db
      .updateTable('quorate.oauth_consents')
      .set({ used_at: at })
      .where('state_digest', '=', stateDigest)
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .returning(['id', 'connection_id', 'for_member', 'host', 'sealed', 'due_at'])
      .executeTakeFirst();
    if (row === undefined) return null;
    const { id, connection_id: connectionId, for_member: forMember, host, sealed } = row;
    return { id, connectionId, forMember, host, sealed, expired: row.due_at <= at };
  },
});
