import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { changeFactor, type FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import { lacksFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { changePasskeys, type PasskeyAnswer } from '#app/features/auth/passkey/change-passkeys-action.server.ts';
import { factorPath, returnPath, signInPath } from '#app/features/auth/session/return-path.ts';

/** The way to a first factor. Whoever has one that this session has not shown is asked for that instead. */
export async function loadFactorSetup({ url, context }: LoaderFunctionArgs) {
  const { user, proofWays } = context.get(authContext);
  const next = returnPath(url.searchParams.get('next'));
  if (user === null) throw redirect(signInPath(next));
  if (await lacksFactor(context)) throw redirect(factorPath(next));
  return { next, here: `${url.pathname}${url.search}`, passkeys: context.get(servicesContext).passkeys.possible, ways: await proofWays() };
}
export type FactorSetupView = Awaited<ReturnType<typeof loadFactorSetup>>;

type Answered<Value> = Response | { data: Value; init: ResponseInit | null };

/** The forms of an authenticator app and of a passkey, each with its own answer. */
export async function setUpFactor(args: ActionFunctionArgs) {
  const next = returnPath(args.url.searchParams.get('next'));
  if (args.context.get(authContext).user === null) throw redirect(signInPath(next));
  const form = (await args.request.clone().formData()).get('form');
  if (form === 'add' || form === 'register') {
    const answered: Answered<PasskeyAnswer> = await changePasskeys(args, next);
    return answered instanceof Response ? answered : data({ of: 'passkey' as const, passkey: answered.data }, answered.init ?? undefined);
  }
  const answered: Answered<FactorAnswer> = await changeFactor(args, next);
  return answered instanceof Response ? answered : data({ of: 'app' as const, app: answered.data }, answered.init ?? undefined);
}
