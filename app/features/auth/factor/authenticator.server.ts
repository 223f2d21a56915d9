import type { RouterContextProvider } from 'react-router';
import type { SessionUser } from '#app/contracts/identity.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { readAuthenticator } from '#app/engine/account/own-passkeys.ts';
import { base32, matchingStep, newTotpSecret, totpPicture } from '#app/engine/account/totp.ts';
import { useAuthenticator } from '#app/engine/commands/factors/use-authenticator.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';

type Context = Readonly<RouterContextProvider>;

/** An authenticator app that is being set up: its picture, and the secret as apps take it by hand. */
export function newAuthenticator(email: string): { secret: string; picture: string } {
  const secret = newTotpSecret();
  return { secret: base32(secret), picture: totpPicture(secret, email) };
}

/** The time step of a right code; null: it is wrong. Codes of six digits with or without a blank. */
export function checkCode(context: Context, secret: Uint8Array, code: string): number | null {
  return matchingStep(secret, code.replace(/\s/g, ''), context.get(servicesContext).now());
}

export const contextOfAuthenticator = (userId: string) => `authenticator of ${userId}`;

/** Whether this person's authenticator app has this code now, and it was not taken before. Null: none of ours is set up. */
export async function takeCode(context: Context, user: SessionUser, code: string): Promise<boolean | null> {
  const services = context.get(servicesContext);
  const sealed = await services.access.asNobody((db) => readAuthenticator(db, user.id));
  if (sealed === null) return null;
  const secret = Buffer.from(services.engine.sealer.open(sealed, contextOfAuthenticator(user.id)), 'base64url');
  const step = checkCode(context, secret, code);
  return step !== null && (await performAsNobody(useAuthenticator, services, { user: user.id, session: user.sessionId, step }));
}
