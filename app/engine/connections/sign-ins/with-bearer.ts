import type { SignInHolder, SignIns } from '#app/contracts/sign-ins.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { signInNeeded } from '#app/engine/connections/sign-ins/sign-in-needed.ts';

/**
 * Calls with a holder's token. A token that the peer refuses is renewed once and the call made again: a refused call has done nothing. A scope
 * that the token lacks is a matter for a person.
 * @throws PeerError `peerSignInNeeded`, or what the call throws
 */
export async function withBearer<T>(
  signIns: Pick<SignIns, 'token'>,
  holder: SignInHolder,
  about: Omit<Parameters<SignIns['token']>[1], 'rejected'>,
  call: (credential: string) => Promise<T>,
): Promise<T> {
  const first = await signIns.token(holder, about);
  try {
    return await call(first.token);
  } catch (error) {
    if (statusOf(error) !== 401) throw asNeeded(error, about.host);
  }
  const next = await signIns.token(holder, { ...about, rejected: first.version });
  try {
    return await call(next.token);
  } catch (error) {
    throw asNeeded(error, about.host);
  }
}

function statusOf(error: unknown): unknown {
  return error instanceof PeerError && error.failure.key === 'peerUnauthorized' ? error.failure.values.status : null;
}

function asNeeded(error: unknown, host: string): unknown {
  if (!(error instanceof PeerError) || error.failure.challenge === undefined) return error;
  return statusOf(error) === null ? error : signInNeeded(host, error.failure.challenge);
}
