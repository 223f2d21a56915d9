import { data, type RouterContextProvider } from 'react-router';
import { type FormErrors, type FormReply, invalidForm } from '#app/components/form/parse-form.server.ts';
import type { AuthFailure } from '#app/contracts/identity.ts';
import { authContext, clientContext, requestIdContext, servicesContext } from '#app/contracts/request-context.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import type { FailureGroup } from '#app/features/auth/browser/auth-error-codes.ts';
import { FAILURE_TEXT, failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import type { FormAnswer, Refusal } from '#app/features/auth/sign-in/refusal.ts';

const DEFAULT_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 3_600;
const OUTAGE_WAIT_SECONDS = '30';

const STATUS: Record<FailureGroup, number> = {
  wrongDetails: 400,
  taken: 400,
  password: 400,
  link: 400,
  session: 401,
  tooMany: 429,
  secondFactor: 403,
  closed: 403,
  passkey: 400,
  passkeyDoubted: 400,
  unavailable: 503,
  other: 400,
};

/** Answers 400 with the values as typed and their errors. */
export function invalidFields(reply: FormReply, more?: FormErrors) {
  return answer(reply, null, 400, more);
}

/**
 * Answers with what was typed and why the service refused it, in a sentence of ours. What we have no sentence for is logged, and the person
 * gets the reference under which it is found.
 */
export function refusedForm(context: Readonly<RouterContextProvider>, reply: FormReply, failure: AuthFailure | FailureGroup) {
  const group = typeof failure === 'string' ? failure : failureGroup(failure);
  let reference: string | null = null;
  if (group === 'other') {
    reference = context.get(requestIdContext);
    const details = typeof failure === 'string' ? {} : { code: failure.code, status: failure.status, name: failure.name };
    context.get(servicesContext).log.warn('the auth service refused for a reason without words', { request: reference, ...details });
  }
  if (group === 'tooMany') return tooManyAttempts(context, reply, waitOf(failure));
  if (group === 'unavailable') context.get(authContext).headers.set('Retry-After', OUTAGE_WAIT_SECONDS);
  return answer(reply, { group, text: FAILURE_TEXT[group], seconds: null, reference }, STATUS[group]);
}

/** The service tells how long in words, for some of its limits; for the others a minute, the shortest of them. */
function waitOf(failure: AuthFailure | FailureGroup): number {
  const seconds = typeof failure === 'string' ? undefined : /\bafter (\d+) seconds?\b/.exec(failure.message)?.[1];
  return seconds === undefined ? DEFAULT_WAIT_SECONDS : Math.min(LONGEST_WAIT_SECONDS, Math.max(1, Number(seconds)));
}

/** Answers 429 with the values as typed and the time to wait. */
export function tooManyAttempts(context: Readonly<RouterContextProvider>, reply: FormReply, seconds: number) {
  context.get(authContext).headers.set('Retry-After', String(seconds));
  return answer(reply, { group: 'tooMany', text: 'failure.tooMany', seconds, reference: null }, 429);
}

function answer(reply: FormReply, refusal: Refusal | null, status: number, more?: FormErrors) {
  const { form } = reply.submission.payload;
  return data<FormAnswer>({ form: typeof form === 'string' ? form : '', result: invalidForm(reply, more).data, refusal }, { status });
}

/** The other end, as limits count it. */
export function clientBlock(context: Readonly<RouterContextProvider>): string {
  return addressBlock(context.get(clientContext).address);
}
