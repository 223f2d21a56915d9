import { type ActionFunctionArgs, redirect } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import type { AuthFailure, SessionUser } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { useRecoveryCode } from '#app/engine/commands/account/use-recovery-code.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { factorCodeSchema, recoveryCodeSchema } from '#app/features/auth/factor/factor-schema.ts';
import { afterFactor } from '#app/features/auth/factor/load-factor.server.ts';
import { hashRecoveryCode, sendFactorNotice } from '#app/features/auth/factor/second-factor.server.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/** The two forms of `/auth/factor`: the authenticator's code, or one of the recovery codes. */
export async function showFactor(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
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
  const failure = await verifyCode(args, parsed.value.code);
  if (failure === null) {
    await giveBackAttempts(access, attempts);
    return redirect(afterFactor(args), { status: 303 });
  }
  const group = failureGroup(failure);
  if (group === 'secondFactor') return invalidFields(parsed.reply, { fieldErrors: { code: ['codeWrong'] } });
  if (group === 'unavailable') await giveBackAttempts(access, attempts);
  return refusedForm(context, parsed.reply, failure);
}

/** Null: one of the authenticators has this code. */
async function verifyCode({ context }: ActionFunctionArgs, code: string): Promise<AuthFailure | null> {
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
