import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Revokes one of one's own keys. Its next call is refused. */
export const revokeApiKey = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ key: idSchema }),
  actions: ['apiKey.revoked'],
  changes: ['quorate.api_keys'],
  repeat: 'refused',
  async change({ db, principal, now }, { key }) {
    const revoked = await db
      .updateTable('quorate.api_keys')
      .set({ revoked_at: now() })
      .where('id', '=', key)
      .where('user_id', '=', principal.userId)
      .where('revoked_at', 'is', null)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (revoked === undefined) throw new AppError('not_found');
    return { result: null, event: { action: 'apiKey.revoked', resource: { kind: 'apiKey', ...revoked } } };
  },
});
