import { expect, test } from 'vitest';
import { clearSessionCookies, readSessionCookie, sessionCookieName, sessionCookies } from '#app/platform/supabase/session-cookie.server.ts';

const NAME = 'sb-quorate-3000';
const encode = (value: unknown) => `base64-${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
const SESSION = { access_token: 'a.b.c', refresh_token: 'r', expires_at: 1_800_000_000 };

test('the name comes from the host of the project, and its port', () => {
  expect(sessionCookieName('https://abcdefgh.supabase.co')).toBe('sb-abcdefgh-auth-token');
  expect(sessionCookieName('http://localhost:54321')).toBe('sb-localhost-54321-auth-token');
});

test('tokens are read from one cookie and from parts', () => {
  const whole = encode(SESSION);
  const expected = { accessToken: 'a.b.c', expiresAt: 1_800_000_000 };
  expect(readSessionCookie(`lng=de; ${NAME}=${whole}`, NAME)).toEqual(expected);
  expect(readSessionCookie(`${NAME}.1=${whole.slice(20)}; ${NAME}.0=${whole.slice(0, 20)}`, NAME)).toEqual(expected);
});

test.each([null, '', 'lng=de', `x${NAME}=1`, `${NAME}1=base64-x`])('no session: %j', (header) => {
  expect(readSessionCookie(header, NAME)).toBe('absent');
});

test.each([
  ['no base64', `${NAME}=base64-%%%`],
  ['no prefix', `${NAME}=${JSON.stringify(SESSION)}`],
  ['no JSON', `${NAME}=base64-bm90IGpzb24`],
  ['JSON that is no session', `${NAME}=${encode('text')}`],
  ['null', `${NAME}=${encode(null)}`],
  ['a session without a refresh token', `${NAME}=${encode({ ...SESSION, refresh_token: undefined })}`],
  ['tokens that are no text', `${NAME}=${encode({ ...SESSION, access_token: { toString: 'x' } })}`],
  ['a part too few', `${NAME}.0=${encode(SESSION).slice(0, 30)}`],
  ['200 parts', Array.from({ length: 200 }, (_, at) => `${NAME}.${at}=base64-e30`).join('; ')],
])('garbled, and no exception: %s', (_, header) => {
  expect(readSessionCookie(header, NAME)).toBe('garbled');
});

test('other cookies do not reach the auth client, whatever they are called', () => {
  expect(sessionCookies(`__proto__=x; ${NAME}-code-verifier=v; lng=de; ${NAME}2=no`, NAME)).toEqual([
    { name: `${NAME}-code-verifier`, value: 'v' },
  ]);
});

test('clearing takes every part away, and nothing else', () => {
  const cleared = clearSessionCookies(`${NAME}.0=a; ${NAME}.7=b; lng=de`, NAME, true).getSetCookie();
  expect(cleared.map((cookie) => cookie.split('=')[0])).toEqual([`${NAME}.0`, `${NAME}.7`]);
  for (const cookie of cleared) expect(cookie).toMatch(/Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax/);
});
