import { type ActionFunctionArgs, redirect } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import type { AuthFailure, SessionUser } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { useRecoveryCode } from '#app/engine/commands/account/use-recovery-code.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { takeCode } from '#app/features/auth/factor/authenticator.server.ts';
import { factorCodeSchema, passkeySchema, recoveryCodeSchema } from '#app/features/auth/factor/factor-schema.ts';
import { afterFactor } from '#app/features/auth/factor/load-factor.server.ts';
import { hashRecoveryCode, sendFactorNotice } from '#app/features/auth/factor/second-factor.server.ts';
import { checkPasskey } from '#app/features/auth/passkey/check-passkey.server.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/** The forms of `/auth/factor`: a passkey, the authenticator's code, or one of the recovery codes. */
export async function showFactor(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
  if (form === 'passkey') return showPasskey(args);
  return form === 'recovery' ? showRecoveryCode(args) : showCode(args);
}

async function showCode(args: ActionFunctionArgs) {
  const { request, context } = args;
  const parsed = await parseForm(request, factorCodeSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { user } = context.get(authContext);
  if (user === null) return refusedForm(context, parsed.reply, 'session');
  const attempts = attemptsOf(args, user);
  const { access } = context.get(servicesContext);
  const wait = await takeAttempts(access, attempts);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  const failure = await verifyCode(args, user, parsed.value.code);
  if (failure === null) {
    await giveBackAttempts(access, attempts);
    return redirect(afterFactor(args), { status: 303 });
  }
  const group = failureGroup(failure);
  if (group === 'secondFactor') return invalidFields(parsed.reply, { fieldErrors: { code: ['codeWrong'] } });
  if (group === 'unavailable') await giveBackAttempts(access, attempts);
  return refusedForm(context, parsed.reply, failure);
}

async function showPasskey(args: ActionFunctionArgs) {
  const { request, context } = args;
  const parsed = await parseForm(request, passkeySchema);
  if (!parsed.ok) return refusedForm(context, parsed.reply, 'passkey');
  const { user } = context.get(authContext);
  if (user === null) return refusedForm(context, parsed.reply, 'session');
  const { outcome } = await checkPasskey(args, parsed.value.passkey, { purpose: 'factor', user });
  if (outcome === 'used') return redirect(afterFactor(args), { status: 303 });
  return refusedForm(context, parsed.reply, outcome === 'doubted' ? 'passkeyDoubted' : 'passkey');
}

/** Null: one of the authenticators has this code. */
async function verifyCode({ context }: ActionFunctionArgs, user: SessionUser, code: string): Promise<AuthFailure | null> {
  const ours = await takeCode(context, user, code);
  if (ours === true) return null;
  const wrong = { name: 'AuthApiError', message: 'not this code', code: 'mfa_verification_failed' };
  if (ours === false || context.get(servicesContext).identity.mode === 'embedded') return wrong;
  const { mfa } = context.get(authContext).client.auth;
  const listed = await mfa.listFactors();
  if (listed.error !== null) return listed.error;
  let failure: AuthFailure = { name: 'AuthApiError', message: 'no factor', code: 'mfa_factor_not_found' };
  for (const { id } of listed.data.totp) {
    const { error } = await mfa.challengeAndVerify({ factorId: id, code });
    if (error === null) return null;
    failure = error;
    if (failureGroup(error) !== 'secondFactor') break;
  }
  return failure;
}

/** A code that was used is as wrong as one that never was. */
async function showRecoveryCode(args: ActionFunctionArgs) {
  const { request, context } = args;
  const parsed = await parseForm(request, recoveryCodeSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { user } = context.get(authContext);
  if (user === null) return refusedForm(context, parsed.reply, 'session');
  const services = context.get(servicesContext);
  const { access } = services;
  const attempts: Attempt[] = [
    { limit: 'recoveryCodeAccount', subject: user.id },
    { limit: 'factorAddress', subject: clientBlock(context) },
  ];
  const wait = await takeAttempts(access, attempts);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  const hash = hashRecoveryCode(parsed.value.recoveryCode);
  const used = await performAsNobody(useRecoveryCode, services, { user: user.id, session: user.sessionId, hash });
  if (!used) return invalidFields(parsed.reply, { fieldErrors: { recoveryCode: ['recoveryCodeWrong'] } });
  await giveBackAttempts(access, attempts);
  await sendFactorNotice(context, user.email, 'recoveryUsed');
  return redirect(afterFactor(args), { status: 303 });
}

function attemptsOf({ context }: ActionFunctionArgs, user: SessionUser): Attempt[] {
  return [
    { limit: 'factorAccount', subject: user.id },
    { limit: 'factorAddress', subject: clientBlock(context) },
  ];
}
