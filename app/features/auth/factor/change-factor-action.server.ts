import { type ActionFunctionArgs, data, href, type RouterContextProvider, redirect } from 'react-router';
import { type FormErrors, type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { AuthFailure } from '#app/contracts/identity.ts';
import { authContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { replaceRecoveryCodes } from '#app/engine/commands/account/replace-recovery-codes.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
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
import { performAsMember } from '#app/perform.server.ts';

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

/** The forms of the screen. Each but the code asks for the password; what changes a verified factor needs that factor, or a recovery code. */
export async function changeFactor(args: ActionFunctionArgs) {
  if (args.context.get(servicesContext).identity.mode === 'embedded') throw data({ code: 'not_found' }, { status: 404 });
  switch ((await args.request.clone().formData()).get('form')) {
    case 'verify':
      return verifySetup(args);
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

async function verifySetup({ request, context }: ActionFunctionArgs) {
  const form = await request.clone().formData();
  const setup = openSetup(context, form.get('state'));
  const parsed = await parseForm(request, factorSetupSchema);
  if (setup === null) return refuse('start', parsed.reply, { formErrors: ['setupOver'] });
  if (!parsed.ok) return showSetup(context, setup, { reply: parsed.reply, errors: {} });
  const { access } = context.get(servicesContext);
  const { member } = context.get(memberContext);
  const attempts = [{ limit: 'factorAccount', subject: member.userId }] as const;
  const again = (text: string) => showSetup(context, setup, { reply: parsed.reply, errors: { fieldErrors: { code: [text] } } });
  if ((await takeAttempts(access, attempts)) > 0) return again('tooManyAttempts');
  const { error } = await context
    .get(authContext)
    .client.auth.mfa.challengeAndVerify({ factorId: setup.factorId, code: parsed.value.code });
  if (error !== null) {
    const group = failureGroup(error);
    return again(group === 'secondFactor' ? 'codeWrong' : group === 'tooMany' ? 'tooManyAttempts' : 'identityUnavailable');
  }
  await giveBackAttempts(access, attempts);
  const answer = await giveCodes(context, 'verify', 'account.factorAdded');
  await sendFactorNotice(context, member.email, 'factorAdded');
  return answer;
}

async function renewCodes({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, factorPasswordSchema);
  if (!parsed.ok) return refuse('codes', parsed.reply);
  if (await lacksFactor(context)) return refuse('codes', parsed.reply, { formErrors: ['secondFactorFirst'] });
  const refused = await refusePassword(context, 'codes', parsed.reply, parsed.value.currentPassword);
  return refused ?? giveCodes(context, 'codes', 'account.recoveryCodesRenewed');
}

/** The codes are in this one answer and nowhere else; their hashes take the place of whatever stood there. */
async function giveCodes(context: Context, form: FactorForm, done: 'account.factorAdded' | 'account.recoveryCodesRenewed') {
  const codes = newRecoveryCodes();
  await performAsMember(context, replaceRecoveryCodes, { done, hashes: codes.map(hashRecoveryCode) });
  context.get(authContext).headers.set('Cache-Control', 'private, no-store');
  return data<FactorAnswer>({ form, result: undefined, setup: null, codes });
}

async function removeFactor({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, factorPasswordSchema);
  if (!parsed.ok) return refuse('remove', parsed.reply);
  const refused = await refusePassword(context, 'remove', parsed.reply, parsed.value.currentPassword);
  if (refused !== null) return refused;
  const { member } = context.get(memberContext);
  if (await lacksFactor(context)) {
    const dropped = await giveUpLostFactor(context, { id: member.userId, email: member.email, sessionId: member.sessionId });
    if (!dropped) return refuse('remove', parsed.reply, { formErrors: ['secondFactorFirst'] });
  } else {
    const { mfa } = context.get(authContext).client.auth;
    const listed = await mfa.listFactors();
    if (listed.error !== null) return refuseFailure('remove', parsed.reply, listed.error);
    for (const { id } of listed.data.all) {
      const { error } = await mfa.unenroll({ factorId: id });
      if (error !== null) return refuseFailure('remove', parsed.reply, error);
    }
    await performAsMember(context, replaceRecoveryCodes, { done: 'account.factorRemoved', hashes: [] });
    await sendFactorNotice(context, member.email, 'factorRemoved');
  }
  return redirectWithNotice(SECURITY_PATH, 'factorRemoved');
}

function refuseFailure(form: FactorForm, reply: FormReply, failure: AuthFailure) {
  const group = failureGroup(failure);
  const text = group === 'secondFactor' ? 'secondFactorFirst' : group === 'tooMany' ? 'tooManyAttempts' : 'identityUnavailable';
  return refuse(form, reply, { formErrors: [text] });
}

function refuse(form: FactorForm, reply: FormReply, errors?: FormErrors) {
  return data<FactorAnswer>({ form, result: invalidForm(reply, errors).data, setup: null, codes: null }, { status: 400 });
}
