import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Mail } from '#app/domain/ports.ts';
import { ROLES } from '#app/domain/roles.ts';
import type { IdentityAdapter } from '#app/platform/supabase/identity-backend.server.ts';

const FILE = 'demo-accounts.json';
/** The same list while the demo is being made: whoever starts after a kill goes on with the same passwords. */
const PENDING_FILE = 'demo-accounts.pending.json';
const PASSWORD_BYTES = 12;
const MAIL_MS = 10_000;

const accountSchema = z.object({ email: z.string(), password: z.string(), name: z.string(), roles: z.array(z.enum(ROLES)) });
type DemoAccount = z.infer<typeof accountSchema>;

/** True once a demo has been made whole in this data directory. */
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

/** Lets one reader take the next mail to an address before it is kept or sent. */
export class MailTap {
  readonly #waiting = new Map<string, (mail: Mail) => void>();

  /** True: somebody waited for this mail and has it. */
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

type DemoSession = { userId: string; sessionId: string; end(): Promise<void> };

/**
 * Signs a demo person in, making and confirming the account first where it does not stand yet: through the auth service
 * as everybody, the mail's link included.
 */
export async function openDemoSession(
  identity: Pick<IdentityAdapter, 'openClient' | 'verifyAccessToken'>,
  tap: MailTap,
  account: DemoAccount,
): Promise<DemoSession> {
  const { client } = identity.openClient({ cookieHeader: null, secure: false, clientAddress: '127.0.0.1', language: 'en' });
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
  const claims = data.session === null ? null : await identity.verifyAccessToken(data.session.access_token);
  if (claims === null) throw new Error('a demo account could not sign in');
  return {
    userId: claims.userId,
    sessionId: claims.sessionId,
    async end() {
      await client.auth.signOut({ scope: 'global' });
    },
  };
}
