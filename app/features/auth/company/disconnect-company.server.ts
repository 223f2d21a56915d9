import type { RouterContextProvider } from 'react-router';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import type { Disconnection, Proof } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { removeIdentity } from '#app/engine/commands/factors/remove-identity.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { lacksFactor, sendFactorNotice } from '#app/features/auth/factor/second-factor.server.ts';

/** Ends that a company's provider signs this person in, and tells them by mail. Whoever proves who they are has another way in. */
export async function disconnectCompany(context: Readonly<RouterContextProvider>, key: string, proof: Proof): Promise<Disconnection> {
  const { user } = context.get(authContext);
  if (user === null) return 'gone';
  if (await lacksFactor(context)) return { formErrors: ['secondFactorFirst'] };
  const fieldErrors = await reauthenticate(context, proof);
  if (fieldErrors !== null) return { fieldErrors };
  const owner = { user: user.id, session: user.sessionId };
  const outcome = await performAsNobody(removeIdentity, context.get(servicesContext), { ...owner, key });
  if (outcome === 'required') return { formErrors: ['signInRequired'] };
  if (outcome === 'removed') await sendFactorNotice(context, user.email, 'identityRemoved');
  return outcome;
}
