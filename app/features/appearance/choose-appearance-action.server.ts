import { type ActionFunctionArgs, redirect } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';
import { ACCESSIBILITY_NAMES, type Appearance, DENSITIES, THEMES } from '#app/domain/people/appearance.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { keepForAccount } from '#app/features/appearance/account-appearance.server.ts';
import { appearanceCookies, readAppearance } from '#app/features/appearance/appearance.server.ts';

/**
 * Takes a choice of theme, density or any of the five settings (`on`, `off`) into the cookies, and into the account of who is
 * signed in. Goes back to `next`; without it, 204 for a script. What there is not to choose changes nothing.
 */
export async function chooseAppearance({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await request.formData();
  const before = readAppearance(request);
  // Quick choices in a row overlap: none may undo another.
  const chosen = chosenBy(before, form);
  const headers = new Headers();
  if (Object.keys(chosen).length > 0) {
    for (const cookie of appearanceCookies(request, chosen)) headers.append('Set-Cookie', cookie);
    const { user } = context.get(authContext);
    if (user !== null) await keepForAccount(context, user, { ...before, ...chosen }, chosen);
  }
  const next = form.get('next');
  if (next === null) return new Response(null, { status: 204, headers });
  return redirect(localPath(next, '/'), { status: 303, headers });
}

/** The fields of the form, and the five settings after it. */
function chosenBy(before: Appearance, form: FormData): Partial<Appearance> {
  const theme = THEMES.find((known) => known === form.get('theme'));
  const density = DENSITIES.find((known) => known === form.get('density'));
  const named = ACCESSIBILITY_NAMES.filter((name) => form.get(name) === 'on' || form.get(name) === 'off');
  const settings = Object.fromEntries(named.map((name) => [name, form.get(name) === 'on']));
  return {
    ...(theme === undefined ? {} : { theme }),
    ...(density === undefined ? {} : { density }),
    ...(named.length === 0 ? {} : { accessibility: { ...before.accessibility, ...settings } }),
  };
}
