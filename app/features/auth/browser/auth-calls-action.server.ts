import type { ActionFunctionArgs } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';
import type { AuthCallAnswer } from '#app/features/auth/browser/auth-calls.ts';
import { needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { resetPassword } from '#app/features/auth/recovery/reset-action.server.ts';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { signIn } from '#app/features/auth/sign-in/sign-in-action.server.ts';
import { signOut } from '#app/features/auth/sign-in/sign-out-action.server.ts';
import { signUp } from '#app/features/auth/sign-in/sign-up-action.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

const MAX_NAME_LENGTH = 80;

/** The calls of components: the same commands as the forms, whose redirects mean that it was done. Cookies go with the answer. */
export async function answerAuthCall(args: ActionFunctionArgs): Promise<Response> {
  const form = await args.request.clone().formData();
  switch (form.get('call')) {
    case 'signIn':
      return toAnswer(args, await signIn(args));
    case 'signUp':
      return toAnswer(args, await signUp(args));
    case 'resetPassword':
      return toAnswer(args, await resetPassword(args));
    case 'signOut':
      return toAnswer(args, await signOut(args));
    case 'updateProfile': {
      const { user } = args.context.get(authContext);
      if (user !== null && (await needsSecondFactor(args.context, user))) {
        const message = getTranslator(args.context, 'auth')('failure.secondFactor');
        return Response.json({ error: { message } } satisfies AuthCallAnswer, { status: 403 });
      }
      const displayName = String(form.get('name') ?? '')
        .trim()
        .slice(0, MAX_NAME_LENGTH);
      return Response.json({ error: await args.context.get(authContext).saveProfile({ displayName }) } satisfies AuthCallAnswer);
    }
    default:
      return Response.json({ error: { message: getTranslator(args.context, 'auth')('failure.other') } } satisfies AuthCallAnswer, {
        status: 400,
      });
  }
}

function toAnswer({ context }: ActionFunctionArgs, answer: Response | { data: FormAnswer; init: ResponseInit | null }): Response {
  if (answer instanceof Response) {
    const headers = new Headers();
    for (const cookie of answer.headers.getSetCookie()) headers.append('Set-Cookie', cookie);
    return Response.json({ error: null } satisfies AuthCallAnswer, { headers });
  }
  const t = getTranslator(context, 'auth');
  const { refusal } = answer.data;
  const message =
    refusal === null
      ? t('failure.invalid')
      : refusal.text === 'failure.tooMany'
        ? t('failure.tooMany', { count: refusal.seconds ?? 0 })
        : t(refusal.text);
  return Response.json({ error: { message } } satisfies AuthCallAnswer, { status: answer.init?.status ?? 400 });
}
