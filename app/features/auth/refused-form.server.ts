import { data, type RouterContextProvider } from 'react-router';
import { type FormErrors, type FormReply, invalidForm } from '#app/components/form/parse-form.server.ts';
import { addressBlock } from '#app/features/auth/attempt-limits.server.ts';
import type { AuthFailure } from '#app/features/auth/auth-client.ts';
import { FAILURE_TEXT, type FailureGroup, failureGroup } from '#app/features/auth/auth-failure.ts';
import type { Refusal } from '#app/features/auth/refusal.ts';
import { authContext, clientContext } from '#app/request-context.ts';

const STATUS: Record<FailureGroup, number> = {
  wrongDetails: 400,
  taken: 400,
  password: 400,
  link: 400,
  session: 401,
  tooMany: 429,
  secondFactor: 403,
  closed: 403,
  unavailable: 503,
  other: 400,
};

/** Answers 400 with what was typed and what is wrong beside the fields. */
export function invalidFields(reply: FormReply, more?: FormErrors) {
  return data({ result: invalidForm(reply, more).data, refusal: null as Refusal | null }, { status: 400 });
}

/** Answers with what was typed and why the service refused it, in a sentence of ours. */
export function refusedForm(reply: FormReply, failure: AuthFailure | FailureGroup) {
  const group = typeof failure === 'string' ? failure : failureGroup(failure);
  const refusal: Refusal = { group, text: group === 'tooMany' ? 'failure.tooManyPlain' : FAILURE_TEXT[group], seconds: null };
  return data({ result: invalidForm(reply).data, refusal: refusal as Refusal | null }, { status: STATUS[group] });
}

/** Answers 429 with what was typed and how long to wait. */
export function tooManyAttempts(context: Readonly<RouterContextProvider>, reply: FormReply, seconds: number) {
  context.get(authContext).headers.set('Retry-After', String(seconds));
  return data(
    { result: invalidForm(reply).data, refusal: { group: 'tooMany', text: 'failure.tooMany', seconds } as Refusal | null },
    { status: 429 },
  );
}

/** The other end, as limits count it. */
export function clientBlock(context: Readonly<RouterContextProvider>): string {
  return addressBlock(context.get(clientContext).address);
}
