import { type ActionFunctionArgs, data, href, type RouterContextProvider, redirect } from 'react-router';
import { type FormErrors, type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { AuthFailure, SessionUser } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { mayLoseFactor, ownPasskeys } from '#app/engine/account/own-passkeys.ts';
import { readBase32 } from '#app/engine/account/totp.ts';
import { replaceRecoveryCodes } from '#app/engine/commands/account/replace-recovery-codes.ts';
import { addAuthenticator } from '#app/engine/commands/factors/add-authenticator.ts';
import { removeAuthenticator } from '#app/engine/commands/factors/remove-authenticator.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { checkCode, contextOfAuthenticator, newAuthenticator } from '#app/features/auth/factor/authenticator.server.ts';
import { factorPasswordSchema, factorSetupSchema } from '#app/features/auth/factor/factor-schema.ts';
import {
  giveUpLostFactor,
  hashRecoveryCode,
  lacksFactor,
  newRecoveryCodes,
  sendFactorNotice,
} from '#app/features/auth/factor/second-factor.server.ts';
import { giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { openSetup, type Setup, sealSetup } from '#app/features/auth/sign-in/setup-state.server.ts';

type Context = Readonly<RouterContextProvider>;
type FactorForm = 'start' | 'verify' | 'codes' | 'remove';

const SECURITY_PATH = href('/dashboard/account/security');
const NAME = 'Quorate';

/** The state of the screen unless it redirects: an authenticator to scan, the recovery codes (shown once), or a form's errors. */
export type FactorAnswer = {
  form: FactorForm;
  result: FormResult | undefined;
  setup: { picture: string; secret: string; state: string } | null;
  codes: string[] | null;
};

/** The forms of the screen; `next`: where to go on once it is set up. Each but the code asks for the password; what changes a verified factor needs that factor, or a recovery code. */
export async function changeFactor(args: ActionFunctionArgs, next: string = SECURITY_PATH) {
  switch ((await args.request.clone().formData()).get('form')) {
    case 'verify':
      return verifySetup(args, next);
    case 'codes':
      return renewCodes(args);
    case 'remove':
      return removeFactor(args);
    default:
      return startSetup(args);
  }
}

/** The password, and who has a factor must have shown it. Returns the refusal. */
async function refusePassword(context: Context, form: FactorForm, reply: FormReply, password: string) {
  const refusal = await context.get(authContext).provePassword(password);
  if (refusal !== null) return refuse(form, reply, { fieldErrors: { [refusal.field]: refusal.messages } });
  return null;
}

async function startSetup({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, factorPasswordSchema);
  if (!parsed.ok) return refuse('start', parsed.reply);
  if (await lacksFactor(context)) return refuse('start', parsed.reply, { formErrors: ['secondFactorFirst'] });
  const refused = await refusePassword(context, 'start', parsed.reply, parsed.value.currentPassword);
  if (refused !== null) return refused;
  if (isOurs(context)) return showOwnSetup(context);
  const { mfa } = context.get(authContext).client.auth;
  const listed = await mfa.listFactors();
  if (listed.error !== null) return refuseFailure('start', parsed.reply, listed.error);
  if (listed.data.totp.length > 0) return redirect(SECURITY_PATH, { status: 303 });
  // An unfinished enrolment would block its name.
  for (const { id } of listed.data.all.filter(({ status }) => status !== 'verified')) {
    const { error } = await mfa.unenroll({ factorId: id });
    if (error !== null) return refuseFailure('start', parsed.reply, error);
  }
  const enrolled = await mfa.enroll({ factorType: 'totp', friendlyName: NAME, issuer: NAME });
  if (enrolled.error !== null) return refuseFailure('start', parsed.reply, enrolled.error);
  const { id, totp } = enrolled.data;
  return showSetup(context, { factorId: id, secret: totp.secret, picture: pictureOf(totp.qr_code) });
}

/** The embedded account service has no factors: theirs are ours. */
const isOurs = (context: Context) => context.get(servicesContext).identity.mode === 'embedded';

function showOwnSetup(context: Context) {
  const { secret, picture } = newAuthenticator(userOf(context).email);
  return showSetup(context, { factorId: null, secret, picture });
}

function userOf(context: Context): SessionUser {
  const { user } = context.get(authContext);
  if (user === null) throw data({ code: 'unauthenticated' }, { status: 401 });
  return user;
}

/** The service's own drawing, encoded so that no letter of it can end the address. */
function pictureOf(address: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(address.slice(address.indexOf(',') + 1)).toString('base64')}`;
}

function showSetup(context: Context, setup: Setup, refused?: { reply: FormReply; errors: FormErrors }) {
  context.get(authContext).headers.set('Cache-Control', 'private, no-store');
  const { picture, secret } = setup;
  const answer: FactorAnswer = {
    form: 'verify',
    result: refused === undefined ? undefined : invalidForm(refused.reply, refused.errors).data,
    setup: { picture, secret, state: sealSetup(context, setup) },
    codes: null,
  };
  return data(answer, { status: refused === undefined ? 200 : 400 });
}

async function verifySetup({ request, context }: ActionFunctionArgs, next: string) {
  const form = await request.clone().formData();
  const setup = openSetup(context, form.get('state'));
  const parsed = await parseForm(request, factorSetupSchema);
  if (setup === null) return refuse('start', parsed.reply, { formErrors: ['setupOver'] });
  if (!parsed.ok) return showSetup(context, setup, { reply: parsed.reply, errors: {} });
  const { access } = context.get(servicesContext);
  const user = userOf(context);
  const attempts = [{ limit: 'factorAccount', subject: user.id }] as const;
  const again = (text: string) => showSetup(context, setup, { reply: parsed.reply, errors: { fieldErrors: { code: [text] } } });
  if ((await takeAttempts(access, attempts)) > 0) return again('tooManyAttempts');
  if (setup.factorId === null) {
    const step = checkCode(context, secretIn(setup), parsed.value.code);
    if (step === null) return again('codeWrong');
    await giveBackAttempts(access, attempts);
    return keepAuthenticator(context, user, { setup, step, next });
  }
  const { error } = await context
    .get(authContext)
    .client.auth.mfa.challengeAndVerify({ factorId: setup.factorId, code: parsed.value.code });
  if (error !== null) {
    const group = failureGroup(error);
    return again(group === 'secondFactor' ? 'codeWrong' : group === 'tooMany' ? 'tooManyAttempts' : 'identityUnavailable');
  }
  await giveBackAttempts(access, attempts);
  const answer = await giveCodes(context, 'verify', 'account.factorAdded');
  await sendFactorNotice(context, user.email, 'factorAdded');
  return answer;
}

const secretIn = ({ secret }: Setup) => readBase32(secret);

/** Codes are shown to who had none: others keep theirs. */
async function keepAuthenticator(context: Context, user: SessionUser, { setup, step, next }: { setup: Setup; step: number; next: string }) {
  const services = context.get(servicesContext);
  const codes = newRecoveryCodes();
  const sealed = services.engine.sealer.seal(secretIn(setup).toString('base64url'), contextOfAuthenticator(user.id));
  const given = { user: user.id, session: user.sessionId, sealed, step, codes: codes.map(hashRecoveryCode) };
  const outcome = await performAsNobody(addAuthenticator, services, given);
  if (outcome !== 'there') await sendFactorNotice(context, user.email, 'factorAdded');
  if (outcome !== 'added_with_codes') return redirect(next, { status: 303 });
  return showCodes(context, 'verify', codes);
}

async function renewCodes({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, factorPasswordSchema);
  if (!parsed.ok) return refuse('codes', parsed.reply);
  if (await lacksFactor(context)) return refuse('codes', parsed.reply, { formErrors: ['secondFactorFirst'] });
  const refused = await refusePassword(context, 'codes', parsed.reply, parsed.value.currentPassword);
  return refused ?? giveCodes(context, 'codes', 'account.recoveryCodesRenewed');
}

/** The codes' hashes take the place of whatever stood there. */
async function giveCodes(context: Context, form: FactorForm, done: 'account.factorAdded' | 'account.recoveryCodesRenewed') {
  const codes = newRecoveryCodes();
  const { id, sessionId } = userOf(context);
  const hashes = codes.map(hashRecoveryCode);
  await performAsNobody(replaceRecoveryCodes, context.get(servicesContext), { user: id, session: sessionId, done, hashes });
  return showCodes(context, form, codes);
}

/** They are in this one answer and nowhere else. */
function showCodes(context: Context, form: FactorForm, codes: string[]) {
  context.get(authContext).headers.set('Cache-Control', 'private, no-store');
  return data<FactorAnswer>({ form, result: undefined, setup: null, codes });
}

async function removeFactor({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, factorPasswordSchema);
  if (!parsed.ok) return refuse('remove', parsed.reply);
  const refused = await refusePassword(context, 'remove', parsed.reply, parsed.value.currentPassword);
  if (refused !== null) return refused;
  const user = userOf(context);
  if (await lacksFactor(context)) {
    const dropped = await giveUpLostFactor(context, user);
    if (!dropped) return refuse('remove', parsed.reply, { formErrors: ['secondFactorFirst'] });
  } else {
    const kept = isOurs(context) ? await removeOurs(context, user) : await removeTheirs(context, user);
    if (kept !== null)
      return typeof kept === 'string'
        ? refuse('remove', parsed.reply, { formErrors: [kept] })
        : refuseFailure('remove', parsed.reply, kept);
    await sendFactorNotice(context, user.email, 'factorRemoved');
  }
  return redirectWithNotice(SECURITY_PATH, 'factorRemoved');
}

/** Null: it is gone. Otherwise why not. */
async function removeOurs(context: Context, { id, sessionId }: SessionUser): Promise<string | null> {
  const outcome = await performAsNobody(removeAuthenticator, context.get(servicesContext), { user: id, session: sessionId });
  return outcome === 'last' ? 'lastFactor' : null;
}

async function removeTheirs(context: Context, { id, sessionId }: SessionUser): Promise<AuthFailure | string | null> {
  const services = context.get(servicesContext);
  const mayGo = await services.access.asNobody((db) => mayLoseFactor(db, id));
  if (!mayGo) return 'lastFactor';
  const { mfa } = context.get(authContext).client.auth;
  const listed = await mfa.listFactors();
  if (listed.error !== null) return listed.error;
  for (const factor of listed.data.all) {
    const { error } = await mfa.unenroll({ factorId: factor.id });
    if (error !== null) return error;
  }
  const hasPasskeys = (await services.access.asNobody((db) => ownPasskeys(db, { id, sessionId }))).length > 0;
  const given = { user: id, session: sessionId, done: 'account.factorRemoved' as const, hashes: [] };
  // The codes stay for the loss of passkeys.
  if (!hasPasskeys) await performAsNobody(replaceRecoveryCodes, services, given);
  return null;
}

function refuseFailure(form: FactorForm, reply: FormReply, failure: AuthFailure) {
  const group = failureGroup(failure);
  const text = group === 'secondFactor' ? 'secondFactorFirst' : group === 'tooMany' ? 'tooManyAttempts' : 'identityUnavailable';
  return refuse(form, reply, { formErrors: [text] });
}

function refuse(form: FactorForm, reply: FormReply, errors?: FormErrors) {
  return data<FactorAnswer>({ form, result: invalidForm(reply, errors).data, setup: null, codes: null }, { status: 400 });
}
