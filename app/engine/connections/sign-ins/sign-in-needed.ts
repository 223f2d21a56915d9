import type { SignInChallenge } from '#app/contracts/sign-ins.ts';
import { PeerError } from '#app/engine/connections/peer.ts';

export const SIGN_IN_NEEDED = 'peerSignInNeeded';

/** Nobody has consented, the consent is over, or it does not reach as far as the call. Nothing has been called. */
export function signInNeeded(host: string, challenge?: SignInChallenge): PeerError {
  return new PeerError({
    key: SIGN_IN_NEEDED,
    values: { host },
    retryable: false,
    happened: 'no',
    ...(challenge === undefined ? {} : { challenge }),
  });
}
