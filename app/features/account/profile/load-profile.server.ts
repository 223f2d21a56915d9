import type { RouterContextProvider } from 'react-router';
import { avatarPath } from '#app/components/data/avatar-path.ts';
import { memberContext } from '#app/contracts/request-context.ts';

/** One's name and picture. */
export async function loadProfile(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const avatar = await read((db) =>
    db.selectFrom('quorate.avatars').select('digest').where('user_id', '=', member.userId).executeTakeFirst(),
  );
  return { name: member.name, picture: avatarPath(member.userId, avatar?.digest) };
}
export type ProfileView = Awaited<ReturnType<typeof loadProfile>>;
