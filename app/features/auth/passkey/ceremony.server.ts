import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { PasskeyOptions } from '#app/contracts/clients/passkeys.ts';
import type { SessionUser } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { passkeyCookie, readPasskeyCookie } from '#app/features/auth/passkey/passkey-cookie.server.ts';

type Asked = { request: Request; context: Readonly<RouterContextProvider> };

/** `confirm`: that it is them, for an act. */
export const PURPOSES = ['signIn', 'factor', 'confirm', 'register'] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * A challenge with what it is for, in which browser, and for whom. It travels through the page, sealed, so that nobody fills a table by
 * looking at one; that it was answered is kept, so that it counts once.
 */
const stateSchema = z.object({
  purpose: z.enum(PURPOSES),
  challenge: z.string(),
  browser: z.string(),
  session: z.string().nullable(),
  about: z.string(),
  at: z.number(),
});
const CONTEXT = 'ceremony of a passkey';
const LIFETIME_MS = 5 * 60_000;

/** The options for the browser, and the sealed state that comes back with its answer. */
export type Ceremony = { options: object; state: string };

/** Begins a ceremony; its cookie goes with the answer to this request. */
export function beginCeremony(
  { request, context }: Asked,
  { options, challenge }: PasskeyOptions,
  { purpose, user, about = '' }: { purpose: Purpose; user: SessionUser | null; about?: string },
): Ceremony {
  const { engine, now } = context.get(servicesContext);
  const { digest, cookie } = passkeyCookie(request.headers.get('Cookie'), context.get(clientContext).secure);
  context.get(authContext).headers.append('Set-Cookie', cookie);
  const state = { purpose, challenge, browser: digest, session: user?.sessionId ?? null, about, at: now().getTime() };
  return { options, state: Buffer.from(engine.sealer.seal(JSON.stringify(state), CONTEXT)).toString('base64url') };
}

/** The challenge of a ceremony that was begun here, in this browser, for this, by this session, and not five minutes ago. Null: it was not. */
export function openCeremony(
  { request, context }: Asked,
  sealed: string,
  expected: { purpose: Purpose; user: SessionUser | null; about?: string },
): string | null {
  const { engine, now } = context.get(servicesContext);
  let state: z.output<typeof stateSchema>;
  try {
    state = stateSchema.parse(JSON.parse(engine.sealer.open(Buffer.from(sealed, 'base64url'), CONTEXT)));
  } catch {
    // Not ours, or sealed with another key.
    return null;
  }
  const age = now().getTime() - state.at;
  const isIt =
    state.purpose === expected.purpose &&
    state.session === (expected.user?.sessionId ?? null) &&
    state.about === (expected.about ?? '') &&
    state.browser === readPasskeyCookie(request.headers.get('Cookie')) &&
    age >= 0 &&
    age < LIFETIME_MS;
  return isIt ? state.challenge : null;
}
