import { href, type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { isRecovering } from '#app/features/auth/recovery/recovery-cookie.server.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';

/** `nobody`: nobody is signed in here. Who owes nothing continues. */
export type FactorView = { state: 'nobody' | 'asked' };

export async function loadFactor(args: LoaderFunctionArgs): Promise<FactorView> {
  const { user } = args.context.get(authContext);
  if (user === null) return { state: 'nobody' };
  if (!(await needsSecondFactor(args.context, user))) throw redirect(afterFactor(args));
  return { state: 'asked' };
}

/** A session of a recovery link goes back to choosing its password. */
export function afterFactor({ request, url, context }: LoaderFunctionArgs): string {
  const { engine, now } = context.get(servicesContext);
  const { user } = context.get(authContext);
  const recovering = user !== null && isRecovering(engine.sealer, request.headers.get('Cookie'), user.sessionId, now());
  return recovering ? href('/reset-password') : returnPath(url.searchParams.get('next'));
}
