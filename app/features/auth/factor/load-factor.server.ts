import { href, type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { ownPasskeys, readAuthenticator } from '#app/engine/account/own-passkeys.ts';
import { needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { isRecovering } from '#app/features/auth/recovery/recovery-cookie.server.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';

/** `nobody`: nobody is signed in here. Who owes nothing continues. `passkey`: they have one; `code`: an authenticator app. */
export type FactorView = { state: 'nobody' } | { state: 'asked'; passkey: boolean; code: boolean };

export async function loadFactor(args: LoaderFunctionArgs): Promise<FactorView> {
  const { user } = args.context.get(authContext);
  if (user === null) return { state: 'nobody' };
  if (!(await needsSecondFactor(args.context, user))) throw redirect(afterFactor(args));
  const { access, identity } = args.context.get(servicesContext);
  const owner = user;
  return access.asNobody(async (db) => {
    const passkey = (await ownPasskeys(db, owner)).length > 0;
    // The account service's own factors are told by the service alone, so that its field is always there.
    return { state: 'asked', passkey, code: identity.mode === 'hosted' || (await readAuthenticator(db, owner.id)) !== null };
  });
}

/** A session of a recovery link goes back to choosing its password. */
export function afterFactor({ request, url, context }: LoaderFunctionArgs): string {
  const { engine, now } = context.get(servicesContext);
  const { user } = context.get(authContext);
  const recovering = user !== null && isRecovering(engine.sealer, request.headers.get('Cookie'), user.sessionId, now());
  return recovering ? href('/reset-password') : returnPath(url.searchParams.get('next'));
}
