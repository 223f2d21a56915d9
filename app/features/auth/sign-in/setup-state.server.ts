import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';

/** An authenticator that is being set up: the service's, or (null) one of ours. Its secret is shown once; a wrong code must not lose it. */
const setupSchema = z.object({ factorId: z.uuid().nullable(), secret: z.string(), picture: z.string() });
export type Setup = z.infer<typeof setupSchema>;

type Context = Readonly<RouterContextProvider>;

/** It travels through the form, sealed for this session alone. */
export function sealSetup(context: Context, setup: Setup): string {
  const { engine } = context.get(servicesContext);
  return Buffer.from(engine.sealer.seal(JSON.stringify(setup), contextOf(context))).toString('base64url');
}

/** Null: it is not ours, or of another session. */
export function openSetup(context: Context, state: unknown): Setup | null {
  if (typeof state !== 'string' || state === '') return null;
  const { engine } = context.get(servicesContext);
  try {
    return setupSchema.parse(JSON.parse(engine.sealer.open(Buffer.from(state, 'base64url'), contextOf(context))));
  } catch {
    return null;
  }
}

function contextOf(context: Context): string {
  return `second factor of ${context.get(authContext).user?.sessionId}`;
}
