import type { RouterContextProvider } from 'react-router';
import type { SessionUser } from '#app/contracts/identity.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';

type Context = Readonly<RouterContextProvider>;

/**
 * Whether this is the account's password, for a decision that asks for it again. Runs in a session of its own, which ends at once: the
 * request's session and cookies are not touched. A wrong one counts like a wrong sign-in, and so does that of another account, to which the
 * address has gone since.
 */
export async function verifyPassword(context: Context, { id, email }: SessionUser, password: string): Promise<boolean> {
  const { access, identity } = context.get(servicesContext);
  const { address, secure } = context.get(clientContext);
  const block = addressBlock(address);
  const attempts: Attempt[] = [
    { limit: 'passwordAgainFromHere', subject: `${email} ${block}` },
    { limit: 'passwordAgain', subject: email },
    { limit: 'passwordAgainAddress', subject: block },
  ];
  const wait = await takeAttempts(access, attempts);
  if (wait > 0) throw new AppError('over_limit', { values: { seconds: wait } });
  const { client } = identity.openClient({ cookieHeader: null, secure, clientAddress: address, language: 'en' });
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error === null) {
    await giveBackAttempts(access, attempts);
    await client.auth.signOut({ scope: 'local' });
    return data.user.id === id;
  }
  const group = failureGroup(error);
  if (group === 'wrongDetails' || group === 'password') return false;
  await giveBackAttempts(access, attempts);
  throw new AppError(group === 'tooMany' ? 'over_limit' : 'unavailable', { cause: error });
}
