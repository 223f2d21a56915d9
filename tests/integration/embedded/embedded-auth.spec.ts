/** The embedded auth service as the product uses it: by messages to a thread, with mails worded by us. */
import { performance } from 'node:perf_hooks';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mail } from '#app/contracts/ports.ts';
import type { AuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { singleFlightRefresh } from '#app/platform/supabase/single-flight-fetch.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const PASSWORD = 'secret1';
let db: TestDatabase;
let auth: AuthBackend & { mails: Mail[] };
beforeAll(async () => {
  db = await createTestDatabase();
  auth = await db.startAuth();
});
afterAll(() => db.close());

let people = 0;
const newEmail = () => `person-${++people}@example.com`;
function client(headers: Record<string, string> = {}): SupabaseClient {
  return createClient(auth.url, auth.anonKey, {
    global: { fetch: singleFlightRefresh(auth.fetch), headers },
    auth: { persistSession: false, autoRefreshToken: false },
  });
}
const linkIn = (mail: Mail | undefined) => new URL(/http\S+\/auth\/confirm\?\S+/.exec(mail?.text ?? '')?.[0] ?? '');
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

async function confirmed(): Promise<{
  email: string;
  client: SupabaseClient;
  userId: string;
  sessionId: string;
  accessToken: string;
  refreshToken: string;
}> {
  const email = newEmail();
  const person = client();
  await person.auth.signUp({ email, password: PASSWORD });
  const link = linkIn(auth.mails.findLast((mail) => mail.to === email));
  const { data } = await person.auth.verifyOtp({ token_hash: link.searchParams.get('token_hash') ?? '', type: 'signup' });
  const session = data.session;
  if (!session) throw new Error('no session');
  return {
    email,
    client: person,
    userId: session.user.id,
    sessionId: claimsOf(session.access_token).session_id,
    accessToken: session.access_token,
    refreshToken: session.refresh_token,
  };
}

describe('signing up', () => {
  test('makes no session before the address is confirmed, and one by the link in the mail', async () => {
    const email = newEmail();
    const person = client();
    const { data, error } = await person.auth.signUp({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect((await person.auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('email_not_confirmed');
    const link = linkIn(auth.mails.findLast((mail) => mail.to === email));
    expect(link.origin).toBe('http://localhost:3000');
    expect(link.searchParams.get('type')).toBe('signup');
    const hash = link.searchParams.get('token_hash') ?? '';
    expect((await person.auth.verifyOtp({ token_hash: hash, type: 'signup' })).data.session?.user.email).toBe(email);
    expect((await client().auth.verifyOtp({ token_hash: hash, type: 'signup' })).error).not.toBeNull();
    expect((await client().auth.signInWithPassword({ email, password: PASSWORD })).data.session).not.toBeNull();
  });

  test('also works by the six digits', async () => {
    const email = newEmail();
    const person = client();
    await person.auth.signUp({ email, password: PASSWORD });
    const token = /\b\d{6}\b/.exec(auth.mails.findLast((mail) => mail.to === email)?.text ?? '')?.[0] ?? '';
    expect((await person.auth.verifyOtp({ email, token, type: 'signup' })).data.session?.user.email).toBe(email);
  });

  test('takes six characters and refuses five', async () => {
    expect((await client().auth.signUp({ email: newEmail(), password: 'abcde' })).error?.code).toBe('weak_password');
    expect((await client().auth.signUp({ email: newEmail(), password: 'abcdef' })).error).toBeNull();
  });
});

test('every attempt with a password costs one hash, whether or not there is an account', async () => {
  const { email } = await confirmed();
  const unconfirmed = newEmail();
  await client().auth.signUp({ email: unconfirmed, password: PASSWORD });
  const hashes = async (path: string, body: object) => {
    const headers = { apikey: auth.anonKey, 'content-type': 'application/json' };
    const answer = await auth.fetch(`${auth.url}/auth/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return Number(answer.headers.get('x-quorate-hashes'));
  };
  const attempts = [email, unconfirmed, newEmail()].flatMap((address) => [
    ...[PASSWORD, 'not the password', 'x'.repeat(80)].map((password) => hashes('token?grant_type=password', { email: address, password })),
    hashes('signup', { email: address, password: PASSWORD }),
  ]);
  expect(await Promise.all(attempts)).toEqual(Array(attempts.length).fill(1));
  expect(await hashes('recover', { email })).toBe(0);
});

test('a session’s token names user and session as the database functions expect them', async () => {
  const { userId, sessionId, accessToken } = await confirmed();
  const claims = claimsOf(accessToken);
  expect(claims).toMatchObject({ sub: userId, aud: 'authenticated', role: 'authenticated' });
  expect(claims.exp - claims.iat).toBe(3_600);
  const [row] = (
    await db.owner.query(
      'select s.user_id, s.not_after, u.email_confirmed_at from auth.sessions s join auth.users u on u.id = s.user_id where s.id = $1',
      [sessionId],
    )
  ).rows;
  expect(row).toMatchObject({ user_id: userId, not_after: null, email_confirmed_at: expect.any(Date) });
  expect(await db.database.asMember({ userId, sessionId, workspaceId: null }, async (_, roles) => roles)).toEqual([]);
});

test('signing out ends the session for the database at once', async () => {
  const { client: person, userId, sessionId } = await confirmed();
  expect((await person.auth.signOut({ scope: 'local' })).error).toBeNull();
  await expect(db.database.asMember({ userId, sessionId, workspaceId: null }, async () => 'in')).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});

test('a new password comes by a recovery mail, and the old one is over', async () => {
  const { email } = await confirmed();
  const person = client();
  await person.auth.resetPasswordForEmail(email);
  const link = linkIn(auth.mails.findLast((mail) => mail.to === email));
  expect(link.searchParams.get('type')).toBe('recovery');
  await person.auth.verifyOtp({ token_hash: link.searchParams.get('token_hash') ?? '', type: 'recovery' });
  expect((await person.auth.updateUser({ password: 'another1' })).error).toBeNull();
  expect((await client().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('invalid_credentials');
  expect((await client().auth.signInWithPassword({ email, password: 'another1' })).data.session).not.toBeNull();
});

test('no mail goes to an address that nobody has', async () => {
  const email = newEmail();
  expect((await client().auth.resetPasswordForEmail(email)).error).toBeNull();
  expect(auth.mails.filter((mail) => mail.to === email)).toEqual([]);
});

test('requests that refresh together, and one that comes late with the old token, all keep the session', async () => {
  const { refreshToken, userId, sessionId } = await confirmed();
  const shared = singleFlightRefresh(auth.fetch);
  const refresh = async (token: string) => {
    const response = await shared(`${auth.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: auth.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
    });
    return { status: response.status, next: (await response.json()).refresh_token };
  };
  const together = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)));
  expect(new Set(together.map((answer) => `${answer.status} ${answer.next}`)).size).toBe(1);
  expect((await refresh(refreshToken)).status).toBe(200);
  expect((await refresh(together[0]?.next)).status).toBe(200);
  expect(await db.database.asMember({ userId, sessionId, workspaceId: null }, async () => 'in')).toBe('in');
});

describe('a refresh token that was used already', () => {
  const refresh = async (token: string) => {
    const response = await auth.fetch(`${auth.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: auth.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
    });
    return { status: response.status, next: (await response.json()).refresh_token as string };
  };
  const usedLongAgo = (token: string) =>
    db.owner.query(`update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where token = $1`, [token]);
  const sessions = async (sessionId: string) => (await db.owner.query('select from auth.sessions where id = $1', [sessionId])).rowCount;

  test('ends the session of whoever has the one after it, at once', async () => {
    const { refreshToken, userId, sessionId } = await confirmed();
    const { next } = await refresh(refreshToken);
    await usedLongAgo(refreshToken);
    expect((await refresh(refreshToken)).status).toBe(400);
    expect(await sessions(sessionId)).toBe(0);
    expect((await refresh(next)).status).toBe(400);
    await expect(db.database.asMember({ userId, sessionId, workspaceId: null }, async () => 'in')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('ends it also when the one after it was used since', async () => {
    const { refreshToken, sessionId } = await confirmed();
    const { next } = await refresh(refreshToken);
    const third = await refresh(next);
    expect((await refresh(refreshToken)).status).toBe(400);
    expect(await sessions(sessionId)).toBe(0);
    expect((await refresh(third.next)).status).toBe(400);
  });

  test('ends no other session of the person', async () => {
    const { email, refreshToken } = await confirmed();
    const other = await client().auth.signInWithPassword({ email, password: PASSWORD });
    await refresh(refreshToken);
    await usedLongAgo(refreshToken);
    expect((await refresh(refreshToken)).status).toBe(400);
    expect((await refresh(other.data.session?.refresh_token ?? '')).status).toBe(200);
  });

  test('gets the one after it within ten seconds: its answer may have been lost', async () => {
    const { refreshToken, sessionId } = await confirmed();
    const { next } = await refresh(refreshToken);
    expect(await refresh(refreshToken)).toEqual({ status: 200, next });
    expect(await sessions(sessionId)).toBe(1);
  });
});

test('hashing passwords does not hold up the program', async () => {
  const { email } = await confirmed();
  const before = performance.eventLoopUtilization();
  await Promise.all(Array.from({ length: 5 }, () => client().auth.signInWithPassword({ email, password: PASSWORD })));
  // one hash takes some 70 ms of a thread: here, it would be busy nearly all of the time
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test('a service whose database connections were cut answers again', async () => {
  const { email } = await confirmed();
  expect(await db.cutConnections('quorate auth')).toBeGreaterThan(0);
  await expect
    .poll(async () => (await client().auth.signInWithPassword({ email, password: PASSWORD })).error, { timeout: 60_000 })
    .toBeNull();
});

test('a request may be given up', async () => {
  const attempt = auth.fetch(`${auth.url}/auth/v1/health`, { headers: { apikey: auth.anonKey }, signal: AbortSignal.abort() });
  await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
});

test('without the instance’s key nothing is answered', async () => {
  expect((await auth.fetch(`${auth.url}/rest/v1/profiles?select=id`)).status).toBe(401);
});

test('a service that was closed answers as one that cannot be reached', async () => {
  const other = await db.startAuth();
  await other.close();
  await expect(other.fetch(`${other.url}/auth/v1/health`, { headers: { apikey: other.anonKey } })).rejects.toThrow('fetch failed');
});
