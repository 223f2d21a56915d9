import type { ActionFunctionArgs } from 'react-router';
import { z } from 'zod';
import { servicesContext } from '#app/contracts/request-context.ts';
import { failureOf, refuseCompany } from '#app/features/auth/company/refuse-company.server.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';

/** Base64 of some 150 KB: an assertion with a thousand groups has less. */
const LONGEST_ANSWER = 200_000;
/** SAML 2.0 bindings, section 3.5.3, allows 80 bytes; providers send addresses. */
const LONGEST_RELAY = 2_000;
const posted = z.object({
  SAMLResponse: z.string().max(LONGEST_ANSWER),
  RelayState: z.string().max(LONGEST_RELAY).default(''),
});

/** The form that a provider has the browser post here, or the answer that refuses it. */
export async function readAnswer({ request, params, context }: Pick<ActionFunctionArgs, 'request' | 'params' | 'context'>) {
  const { access, saml } = context.get(servicesContext);
  const wait = await takeAttempts(access, [{ limit: 'companyAnswer', subject: clientBlock(context) }]);
  if (wait > 0) return refuseCompany(context, { provider: null, reason: 'tooMany' });
  const workspace = z.uuid().safeParse(params.workspace).data;
  const form = posted.safeParse(Object.fromEntries(await request.formData()));
  if (workspace === undefined || !form.success) return refuseCompany(context, { provider: null, reason: 'token' });
  const { SAMLResponse: answer, RelayState: relay } = form.data;
  try {
    return { workspace, answer, relay, ...(await saml.glance(answer)) };
  } catch (error) {
    return refuseCompany(context, { provider: null, reason: failureOf(error), error });
  }
}

/** Whether a relay state names another site. One that is no address at all is none of ours, and does nothing. */
export function leadsElsewhere(relay: string, origin: string): boolean {
  const address = URL.parse(relay, origin);
  return address === null || address.origin !== new URL(origin).origin;
}

/** Where to go after a sign-in that the provider began: a path of ours, also one with our own origin before it. */
export function relayedPath(relay: string, origin: string): string {
  return returnPath(relay.startsWith(`${origin}/`) ? relay.slice(origin.length) : relay);
}
