import { randomBytes } from 'node:crypto';
import type { ActionFunctionArgs } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { notePasskeySession } from '#app/engine/commands/factors/note-passkey-session.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { passkeySchema } from '#app/features/auth/factor/factor-schema.ts';
import { checkPasskey } from '#app/features/auth/passkey/check-passkey.server.ts';
import { openAccount } from '#app/features/auth/session/open-account.server.ts';
import { giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/**
 * Signs in whoever holds a passkey, which counts as two factors. The session is the account service's own, opened by a hash as for a
 * company's provider (decision 63).
 */
export async function signInWithPasskey(args: ActionFunctionArgs) {
  const { request, context } = args;
  const services = context.get(servicesContext);
  const { access, identity } = services;
  const parsed = await parseForm(request, passkeySchema);
  if (!parsed.ok) return refusedForm(context, parsed.reply, 'passkey');
  const attempts = [{ limit: 'signInAddress', subject: clientBlock(context) }] as const;
  const wait = await takeAttempts(access, attempts);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  const { companySessions } = identity;
  if (companySessions === null) return refusedForm(context, parsed.reply, 'unavailable');
  const own = companySessions === 'database' ? randomBytes(32).toString('hex') : null;
  const checked = await checkPasskey(args, parsed.value.passkey, { purpose: 'signIn', user: null, hash: own });
  if (checked.outcome !== 'used') return refusedForm(context, parsed.reply, checked.outcome === 'doubted' ? 'passkeyDoubted' : 'passkey');
  const { passkey } = checked;
  const hash = own ?? (companySessions === 'database' ? '' : await companySessions.issueHash(passkey.email));
  const opened = await context.get(authContext).client.auth.verifyOtp({ token_hash: hash, type: 'magiclink' });
  if (opened.error !== null) return refusedForm(context, parsed.reply, opened.error);
  const token = opened.data.session === null ? null : await identity.verifyAccessToken(opened.data.session.access_token);
  if (token?.userId !== passkey.userId) throw new Error('the account service opened a session of somebody else');
  await performAsNobody(notePasskeySession, services, { passkey: passkey.id, user: token.userId, session: token.sessionId });
  await giveBackAttempts(access, attempts);
  return openAccount(args, opened.data);
}
