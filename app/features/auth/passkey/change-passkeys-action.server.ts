import { type ActionFunctionArgs, data, href, redirect } from 'react-router';
import { type FormErrors, type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { PasskeyError, type RegisteredPasskey } from '#app/contracts/clients/passkeys.ts';
import type { SessionUser } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { ownPasskeys } from '#app/engine/account/own-passkeys.ts';
import { addPasskey } from '#app/engine/commands/factors/add-passkey.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { hashRecoveryCode, lacksFactor, newRecoveryCodes, sendFactorNotice } from '#app/features/auth/factor/second-factor.server.ts';
import { beginCeremony, type Ceremony, openCeremony } from '#app/features/auth/passkey/ceremony.server.ts';
import { challengeId, readSent } from '#app/features/auth/passkey/check-passkey.server.ts';
import { addPasskeySchema, registerPasskeySchema } from '#app/features/auth/passkey/passkey-schema.ts';

/** The state of the screen unless it redirects: a passkey to make, recovery codes (shown once), or the errors of a form. */
export type PasskeyAnswer = {
  form: 'add' | 'register';
  result: FormResult | undefined;
  setup: (Ceremony & { name: string }) | null;
  codes: string[] | null;
};

/**
 * The two steps of a new passkey: who asks proves that it is them, then the browser makes it. `next`: where to go on; left out: the list.
 */
export async function changePasskeys(args: ActionFunctionArgs, next: string | null = null) {
  const { user } = args.context.get(authContext);
  if (user === null) throw data({ code: 'unauthenticated' }, { status: 401 });
  const form = (await args.request.clone().formData()).get('form');
  return form === 'register' ? register(args, user, next) : begin(args, user);
}

async function begin(args: ActionFunctionArgs, user: SessionUser) {
  const { request, context } = args;
  const { access, passkeys } = context.get(servicesContext);
  const parsed = await parseForm(request, addPasskeySchema);
  if (!parsed.ok) return refuse('add', parsed.reply);
  const { name, ...proof } = parsed.value;
  if (await lacksFactor(context)) return refuse('add', parsed.reply, { formErrors: ['secondFactorFirst'] });
  const fieldErrors = await reauthenticate(context, proof);
  if (fieldErrors !== null) return refuse('add', parsed.reply, { fieldErrors });
  const known = await access.asNobody((db) => ownPasskeys(db, user));
  const options = await passkeys.begin({ id: user.id, email: user.email, name: user.email }, known);
  context.get(authContext).headers.set('Cache-Control', 'private, no-store');
  const setup = { ...beginCeremony(args, options, { purpose: 'register', user }), name };
  return data<PasskeyAnswer>({ form: 'add', result: undefined, setup, codes: null });
}

async function register(args: ActionFunctionArgs, user: SessionUser, next: string | null) {
  const { request, context } = args;
  const services = context.get(servicesContext);
  const parsed = await parseForm(request, registerPasskeySchema);
  if (!parsed.ok) return refuse('add', parsed.reply);
  const refused = (text: string) => refuse('add', parsed.reply, { formErrors: [text] });
  if (await lacksFactor(context)) return refused('secondFactorFirst');
  const sent = readSent(parsed.value.passkey);
  const challenge = sent && openCeremony(args, sent.state, { purpose: 'register', user });
  if (sent === null || challenge === null) return refused('passkeyRefused');
  let made: RegisteredPasskey;
  try {
    made = await services.passkeys.register(sent.answer, challenge);
  } catch (error) {
    if (!(error instanceof PasskeyError)) throw error;
    services.log.warn('a passkey was not registered', { user: user.id, reason: error.cause instanceof Error ? error.cause.name : 'shape' });
    return refused('passkeyRefused');
  }
  const codes = newRecoveryCodes();
  const own = { user: user.id, session: user.sessionId, name: parsed.value.name, challenge: challengeId(challenge) };
  const outcome = await performAsNobody(addPasskey, services, { ...made, ...own, codes: codes.map(hashRecoveryCode) });
  if (outcome !== 'added' && outcome !== 'added_with_codes') return refused(REFUSALS[outcome]);
  await sendFactorNotice(context, user.email, 'passkeyAdded');
  if (outcome === 'added_with_codes') {
    context.get(authContext).headers.set('Cache-Control', 'private, no-store');
    return data<PasskeyAnswer>({ form: 'register', result: undefined, setup: null, codes });
  }
  return next === null ? redirectWithNotice(href('/dashboard/account/security/passkeys'), 'passkeyAdded') : redirect(next, { status: 303 });
}

const REFUSALS = { replayed: 'passkeyRefused', known: 'passkeyKnown', full: 'passkeysFull' } as const;

function refuse(form: PasskeyAnswer['form'], reply: FormReply, errors?: FormErrors) {
  return data<PasskeyAnswer>({ form, result: invalidForm(reply, errors).data, setup: null, codes: null }, { status: 400 });
}
