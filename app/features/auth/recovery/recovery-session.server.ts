import type { RouterContextProvider } from 'react-router';
import type { SessionUser } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { markRecovery } from '#app/engine/commands/sessions/mark-recovery.ts';
import { unmarkRecovery } from '#app/engine/commands/sessions/unmark-recovery.ts';
import { recoveryCookie } from '#app/features/auth/recovery/recovery-cookie.server.ts';

type Arrival = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Closes everything but the new password to a session that a recovery link or code has just opened. What holds is the mark in the database;
 * the cookie beside it lets this browser choose the password.
 */
export async function beginRecovery({ request, context }: Arrival, user: SessionUser): Promise<void> {
  const services = context.get(servicesContext);
  const browser = request.headers.get('User-Agent') ?? '';
  await performAsNobody(markRecovery, services, { user: user.id, session: user.sessionId, browser });
  const { engine, now } = services;
  const cookie = recoveryCookie(engine.sealer, user.sessionId, now(), context.get(clientContext).secure);
  context.get(authContext).headers.append('Set-Cookie', cookie);
}

/** The password is set: a session like any other. */
export async function endRecovery({ context }: Arrival, user: SessionUser): Promise<void> {
  const services = context.get(servicesContext);
  await performAsNobody(unmarkRecovery, services, { user: user.id, session: user.sessionId });
  const { engine, now } = services;
  const cookie = recoveryCookie(engine.sealer, null, now(), context.get(clientContext).secure);
  context.get(authContext).headers.append('Set-Cookie', cookie);
}
