import type { ActionFunctionArgs, RouterContextProvider } from 'react-router';
import type { Proof, ProofRefusal, ProofWays, RequestAuth, SessionUser } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import type { FreshMethod } from '#app/contracts/statuses.ts';
import { ownPasskeys, readAuthenticator } from '#app/engine/account/own-passkeys.ts';
import { takeCode } from '#app/features/auth/factor/authenticator.server.ts';
import { checkPasskey } from '#app/features/auth/passkey/check-passkey.server.ts';
import { verifyPassword } from '#app/features/auth/session/verify-password.server.ts';
import { giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';

type Args = Pick<ActionFunctionArgs, 'request' | 'context'>;
type Noted = Parameters<RequestAuth['reauthenticate']>[1];

/** The act that a challenge of a passkey is for: an answer for one act proves no other. */
const aboutOf = (noted: Noted) => (noted === null ? '' : `${noted.act} ${noted.subjects.join(',')}`);

/** How the person of this request can prove that it is them. Nobody can in no way. */
export async function proofWays(context: Readonly<RouterContextProvider>): Promise<ProofWays> {
  const { user, token } = context.get(authContext);
  if (user === null) return { passkey: false, code: false, password: false };
  const { access } = context.get(servicesContext);
  return access.asNobody(async (db) => {
    const passkey = (await ownPasskeys(db, user)).length > 0;
    const code = (await readAuthenticator(db, user.id)) !== null;
    // Nothing weaker than what they have: of an authenticator app of the account service its token says that it was shown.
    return { passkey, code, password: !passkey || code || token?.assurance === 'aal2' };
  });
}

/**
 * Checks a proof of this request's person, and tells the database what they prove it for: one act on each of these things, by this very
 * session. @throws AppError as `verifyPassword`, and `unauthenticated` where the session has ended meanwhile
 */
export async function reauthenticate(args: Args, proof: Proof, noted: Noted): Promise<ProofRefusal | null> {
  const { user } = args.context.get(authContext);
  if (user === null) return { field: 'password', text: 'wrongPassword' };
  const proven = await prove(args, user, proof, noted);
  if (typeof proven !== 'string') return proven;
  const { access } = args.context.get(servicesContext);
  if (noted !== null) await access.noteReauthentication({ userId: user.id, sessionId: user.sessionId, method: proven, ...noted });
  return null;
}

async function prove(args: Args, user: SessionUser, proof: Proof, noted: Noted): Promise<FreshMethod | ProofRefusal> {
  const { passkey = '', password = '', code = '' } = proof;
  if (passkey !== '') {
    const { outcome } = await checkPasskey(args, passkey, { purpose: 'confirm', user, about: aboutOf(noted) });
    if (outcome === 'used') return 'passkey';
    return { field: 'passkey', text: outcome === 'doubted' ? 'passkeyDoubted' : 'passkeyRefused' };
  }
  const ways = await proofWays(args.context);
  if (!ways.password) return { field: 'passkey', text: 'passkeyNeeded' };
  if (password === '') return { field: 'password', text: 'required' };
  if (ways.code && code === '') return { field: 'code', text: 'required' };
  if (!(await verifyPassword(args.context, user, password))) return { field: 'password', text: 'wrongPassword' };
  if (!ways.code) return args.context.get(authContext).token?.assurance === 'aal2' ? 'password_and_factor' : 'password';
  return (await proveCode(args, user, code)) ?? 'password_and_factor';
}

async function proveCode({ context }: Args, user: SessionUser, code: string): Promise<ProofRefusal | null> {
  const { access } = context.get(servicesContext);
  const attempts = [{ limit: 'factorAccount', subject: user.id }] as const;
  if ((await takeAttempts(access, attempts)) > 0) return { field: 'code', text: 'tooManyAttempts' };
  if ((await takeCode(context, user, code)) !== true) return { field: 'code', text: 'codeWrong' };
  await giveBackAttempts(access, attempts);
  return null;
}
