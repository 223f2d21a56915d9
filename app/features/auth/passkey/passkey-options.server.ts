import { type ActionFunctionArgs, data } from 'react-router';
import { z } from 'zod';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { ownPasskeys } from '#app/engine/account/own-passkeys.ts';
import { beginCeremony } from '#app/features/auth/passkey/ceremony.server.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';

const askedSchema = z.object({ purpose: z.enum(['signIn', 'factor', 'confirm']), about: z.string().max(200).default('') });

/** A challenge for the browser's passkeys, as JSON: to sign in, as a factor, or for an act that asks for a proof. */
export async function askPasskey(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const { access, passkeys } = context.get(servicesContext);
  const asked = askedSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!asked.success) throw data({ code: 'invalid_input' }, { status: 400 });
  const { purpose, about } = asked.data;
  const { user } = context.get(authContext);
  if (purpose !== 'signIn' && user === null) throw data({ code: 'unauthenticated' }, { status: 401 });
  const wait = await takeAttempts(access, [{ limit: 'passkeyAddress', subject: clientBlock(context) }]);
  if (wait > 0) return new Response(null, { status: 429, headers: { 'Retry-After': String(wait) } });
  const who = purpose === 'signIn' ? null : user;
  const own = who === null ? [] : await access.asNobody((db) => ownPasskeys(db, who));
  return Response.json(beginCeremony(args, await passkeys.ask(own), { purpose, user: who, about }), {
    headers: { 'Cache-Control': 'no-store' },
  });
}
