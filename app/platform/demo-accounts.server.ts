import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ROLES } from '#app/contracts/people.ts';
import type { Mail } from '#app/contracts/ports.ts';
import type { IdentityAdapter } from '#app/platform/supabase/identity-backend.server.ts';

const FILE = 'demo-accounts.json';
/** The same list while the demo is being made: a start after a kill continues with the same passwords. */
const PENDING_FILE = 'demo-accounts.pending.json';
/** A marker while the sample runs are being made, with the name of their workspace. */
const RUNS_FILE = 'demo-runs.pending.json';
const PASSWORD_BYTES = 12;
const MAIL_MS = 10_000;

const accountSchema = z.object({ email: z.string(), password: z.string(), name: z.string(), roles: z.array(z.enum(ROLES)) });
type DemoAccount = z.infer<typeof accountSchema>;

/** True once a demo is complete in this data directory. */
export function isDemoMade(dataDirectory: string): boolean {
  return existsSync(join(dataDirectory, FILE));
}

/** The list that a killed start left behind, or null. */
export async function readPendingAccounts(dataDirectory: string): Promise<DemoAccount[] | null> {
  const text = await readFile(join(dataDirectory, PENDING_FILE), 'utf8').catch(() => null);
  return text === null ? null : z.array(accountSchema).parse(JSON.parse(text));
}

/** Gives the people random passwords and keeps them before the first account is made. */
export async function keepPendingAccounts(dataDirectory: string, people: readonly Omit<DemoAccount, 'password'>[]): Promise<DemoAccount[]> {
  const accounts = people.map((person) => ({
    email: person.email,
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
    name: person.name,
    roles: person.roles,
  }));
  const next = join(dataDirectory, `${PENDING_FILE}.${process.pid}`);
  await writeFile(next, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(next, join(dataDirectory, PENDING_FILE));
  return accounts;
}

export async function finishAccounts(dataDirectory: string): Promise<void> {
  await rename(join(dataDirectory, PENDING_FILE), join(dataDirectory, FILE));
}

/** Notes that the sample runs of this workspace are to be made. */
export async function oweRuns(dataDirectory: string, workspaceId: string): Promise<void> {
  const next = join(dataDirectory, `${RUNS_FILE}.${process.pid}`);
  await writeFile(next, `${JSON.stringify({ workspaceId })}\n`, { mode: 0o600, flush: true });
  await rename(next, join(dataDirectory, RUNS_FILE));
}

/** The workspace whose sample runs are not all made, with the people of the first start; null once they are. */
export async function readOwedRuns(dataDirectory: string): Promise<{ workspaceId: string; accounts: DemoAccount[] } | null> {
  const text = await readFile(join(dataDirectory, RUNS_FILE), 'utf8').catch(() => null);
  if (text === null || !isDemoMade(dataDirectory)) return null;
  const { workspaceId } = z.object({ workspaceId: z.uuid() }).parse(JSON.parse(text));
  const accounts = z.array(accountSchema).parse(JSON.parse(await readFile(join(dataDirectory, FILE), 'utf8')));
  return { workspaceId, accounts };
}

export async function finishRuns(dataDirectory: string): Promise<void> {
  await rm(join(dataDirectory, RUNS_FILE), { force: true });
}

/** Lets one reader take the next mail to an address before it is kept or sent. */
export class MailTap {
  readonly #waiting = new Map<string, (mail: Mail) => void>();

  /** True: someone waited for this mail and has it. */
  take(mail: Mail): boolean {
    const reader = this.#waiting.get(mail.to);
    if (reader === undefined) return false;
    this.#waiting.delete(mail.to);
    reader(mail);
    return true;
  }

  next(address: string): Promise<Mail> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the confirmation mail of a demo account did not come')), MAIL_MS);
      this.#waiting.set(address, (mail) => {
        clearTimeout(late);
        resolve(mail);
      });
    });
  }

  forget(address: string): void {
    this.#waiting.delete(address);
  }
}

type Identity = Pick<IdentityAdapter, 'openClient' | 'verifyAccessToken'>;
type DemoSession = { userId: string; sessionId: string; end(): Promise<void> };

/**
 * Signs a demo person in, making and confirming the account first where there is none yet: through the auth service as everyone, the mail's
 * link included.
 */
export async function openDemoSession(identity: Identity, tap: MailTap, account: DemoAccount): Promise<DemoSession> {
  const client = openClient(identity);
  const { email, password } = account;
  let { data } = await client.auth.signInWithPassword({ email, password });
  if (data.session === null) {
    const mail = tap.next(email);
    const signUp = await client.auth.signUp({ email, password });
    // An account that waits for its confirmation gets no second mail of that kind, but a recovery confirms it as well.
    const failed = signUp.error === null ? null : (await client.auth.resetPasswordForEmail(email)).error;
    if (failed !== null) {
      tap.forget(email);
      throw new Error(`a demo account could not be made: ${failed.message}`);
    }
    const link = /token_hash=([\w-]+)&type=(signup|recovery)/.exec((await mail).text);
    if (link?.[1] === undefined) throw new Error('the confirmation mail of a demo account has no link');
    const confirmed = await client.auth.verifyOtp({ token_hash: link[1], type: link[2] === 'recovery' ? 'recovery' : 'signup' });
    if (confirmed.error !== null) throw new Error(`a demo account could not be confirmed: ${confirmed.error.message}`);
    ({ data } = await client.auth.signInWithPassword({ email, password }));
  }
  const session = data.session === null ? null : await sessionOf(identity, client, data.session.access_token, 'global');
  if (session === null) throw new Error('a demo account could not sign in');
  return session;
}

/** Signs a demo person in beside any session of theirs. Null where they have changed the password since the first start. */
export async function signInDemoPerson(identity: Identity, { email, password }: DemoAccount): Promise<DemoSession | null> {
  const client = openClient(identity);
  const { data } = await client.auth.signInWithPassword({ email, password });
  return data.session === null ? null : await sessionOf(identity, client, data.session.access_token, 'local');
}

function openClient(identity: Identity) {
  return identity.openClient({ cookieHeader: null, secure: false, clientAddress: '127.0.0.1', language: 'en' }).client;
}

/** `scope`: of the sign-out that ends it. A person may have signed in meanwhile, whose session a global one would end. */
async function sessionOf(
  identity: Identity,
  client: ReturnType<typeof openClient>,
  accessToken: string,
  scope: 'local' | 'global',
): Promise<DemoSession | null> {
  const claims = await identity.verifyAccessToken(accessToken);
  if (claims === null) return null;
  return {
    userId: claims.userId,
    sessionId: claims.sessionId,
    async end() {
      await client.auth.signOut({ scope });
    },
  };
}
