/** A person with a browser that runs no scripts: cookies, forms and the pages that answer them. */
import type { RunningServer } from '#tests/support/running-server.ts';

export type Person = {
  /** Follows nothing. Throws when the server does not answer. */
  get(path: string): Promise<Response>;
  /** Pairs where a name stands more than once. */
  post(path: string, form: Record<string, string> | [name: string, value: string][]): Promise<Response>;
  /** As the header of the same name. */
  cookie(): string;
};

/** A browser at this origin, which stays the same over restarts. */
export function openBrowser(origin: string): Person {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  async function ask(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${origin}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: cookie() },
      signal: AbortSignal.timeout(20_000),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }
  return {
    cookie,
    get: (path) => ask(path, { method: 'GET' }),
    post: (path, form) =>
      ask(path, {
        method: 'POST',
        body: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  };
}

/** Signs in; throws when the instance does not know these details. */
export async function signIn(origin: string, { email, password }: { email: string; password: string }): Promise<Person> {
  const person = openBrowser(origin);
  const answer = await person.post('/auth?mode=sign-in', { email, password });
  await answer.body?.cancel();
  if (answer.status !== 303) throw new Error(`${email} was not signed in: ${answer.status}`);
  return person;
}

/** Signs in the person of the demo workspace who has this role. */
export async function signInAs(
  server: Pick<RunningServer, 'origin' | 'demoAccounts'>,
  role: 'builder' | 'approver' | 'auditor' | 'admin',
): Promise<Person> {
  const account = (await server.demoAccounts()).find((one) => one.roles.includes(role));
  if (account === undefined) throw new Error(`nobody is ${role}`);
  return signIn(server.origin, account);
}

/** The fields that a page's form hides. */
export function hiddenFields(page: string): Record<string, string> {
  const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? '';
  const names = [...page.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, field(name)]));
}
