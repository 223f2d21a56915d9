import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Changes one's picture, whose file is stored already, or removes it. */
export const changePicture = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ picture: z.object({ fileName: z.string(), mediaType: z.string(), digest: z.string() }).nullable() }),
  actions: ['account.pictureChanged', 'account.pictureRemoved'],
  changes: ['quorate.avatars'],
  repeat: 'overwrites',
  async change({ db, principal, now }, { picture }) {
    const { userId, name } = principal;
    const resource = { kind: 'member', id: userId, name };
    if (picture === null) {
      await db.deleteFrom('quorate.avatars').where('user_id', '=', userId).execute();
      return { result: null, event: { action: 'account.pictureRemoved', resource } };
    }
    const shown = { file_name: picture.fileName, media_type: picture.mediaType, digest: picture.digest };
    await db
      .insertInto('quorate.avatars')
      .values({ user_id: userId, ...shown })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...shown, updated_at: now() }))
      .execute();
    return { result: null, event: { action: 'account.pictureChanged', resource } };
  },
});
