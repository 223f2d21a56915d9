import { data, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router';
import { authContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';

/** One's own passkeys, oldest first, and how one proves that it is oneself. `possible`: browsers make some for this address. */
export async function loadPasskeys(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const rows = await read((db) =>
    db
      .selectFrom('quorate.passkeys')
      .select(['id', 'name', 'backed_up', 'created_at', 'last_used_at', 'doubted_at'])
      .where('user_id', '=', member.userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
  return {
    possible: context.get(servicesContext).passkeys.possible,
    ways: await context.get(authContext).proofWays(),
    passkeys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      backedUp: row.backed_up,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      doubtedAt: row.doubted_at?.toISOString() ?? null,
    })),
  };
}
export type PasskeysView = Awaited<ReturnType<typeof loadPasskeys>>;

/** One of them. 404 where it is nobody's, or another person's. */
export async function loadPasskey({ params, context }: LoaderFunctionArgs) {
  const { passkeys, ways } = await loadPasskeys(context);
  const passkey = passkeys.find(({ id }) => id === params.passkey);
  if (passkey === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return { passkey, ways };
}
export type PasskeyView = Awaited<ReturnType<typeof loadPasskey>>;
