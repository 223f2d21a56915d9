import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuthFailure } from '#app/contracts/identity.ts';
import { GROUP_OF_CODE } from '#app/features/auth/browser/auth-error-codes.ts';
import { FAILURE_TEXT, failureGroup, passwordFaults } from '#app/features/auth/browser/auth-failure.ts';

const failure = (code: string, more: Partial<AuthFailure> = {}): AuthFailure => ({
  name: 'AuthApiError',
  message: 'raw',
  status: 400,
  code,
  ...more,
});

describe('what a failure means', () => {
  test.each([
    ['invalid_credentials', 'wrongDetails'],
    ['email_not_confirmed', 'wrongDetails'],
    ['user_not_found', 'wrongDetails'],
    ['user_already_exists', 'taken'],
    ['weak_password', 'password'],
    ['otp_expired', 'link'],
    ['bad_code_verifier', 'link'],
    ['session_not_found', 'session'],
    ['over_email_send_rate_limit', 'tooMany'],
    ['insufficient_aal', 'secondFactor'],
    ['user_banned', 'closed'],
    ['request_timeout', 'unavailable'],
    ['a_code_of_tomorrow', 'other'],
  ] as const)('%s is %s', (code, group) => {
    expect(failureGroup(failure(code))).toBe(group);
  });

  test.each([502, 503, 504])('%i is an outage, whatever its code', (status) => {
    expect(failureGroup(failure('invalid_credentials', { status }))).toBe('unavailable');
  });

  test('no answer at all is an outage; a lost session and a bare 429 are what they are', () => {
    expect(failureGroup({ name: 'AuthRetryableFetchError', message: '', status: 0 })).toBe('unavailable');
    expect(failureGroup({ name: 'AuthSessionMissingError', message: 'Auth session missing!', status: 400 })).toBe('session');
    expect(failureGroup({ name: 'AuthApiError', message: '', status: 429 })).toBe('tooMany');
  });
});

test('each reason against a password is a line of its own', () => {
  expect(passwordFaults(failure('weak_password', { reasons: ['length', 'characters', 'pwned'] }))).toEqual([
    'passwordTooShort',
    'passwordTooSimple',
    'passwordLeaked',
  ]);
  expect(passwordFaults(failure('weak_password', { reasons: ['of tomorrow'] }))).toEqual(['passwordRefused']);
  expect(passwordFaults(failure('same_password'))).toEqual(['passwordSame']);
});

describe('every error code', () => {
  /** The client's own list: a new version of it that knows a new code fails here until the code has a place. */
  const clientCodes = () => {
    // Its auth client is a package of its own, and found from there.
    const fromClient = createRequire(import.meta.resolve('@supabase/supabase-js'));
    const file = join(dirname(fromClient.resolve('@supabase/auth-js')), 'lib', 'error-codes.d.ts');
    return [...readFileSync(file, 'utf8').matchAll(/'([a-z0-9_]+)'/g)].map(([, code]) => code ?? '');
  };

  test('has one place, also those that only the client knows', () => {
    expect(GROUP_OF_CODE.size).toBeGreaterThanOrEqual(109);
    expect(clientCodes().length).toBeGreaterThan(80);
    expect(clientCodes().filter((code) => !GROUP_OF_CODE.has(code))).toEqual([]);
  });

  test.each(['en', 'es', 'fr', 'de', 'ar', 'he'])('has a sentence in %s that is not the service’s own', async (language) => {
    const { default: texts } = await import(`../../../../locales/${language}/auth.json`, { with: { type: 'json' } });
    for (const code of GROUP_OF_CODE.keys()) {
      const key = FAILURE_TEXT[failureGroup(failure(code))].replace('failure.', '');
      const sentence = texts.failure[key] ?? texts.failure[`${key}_other`];
      expect(sentence, code).toEqual(expect.stringMatching(/\S/));
      expect(sentence).not.toContain('raw');
      expect(sentence).not.toContain(code);
    }
  });

  test('that comes later is told as a failure of authentication', async () => {
    const { default: texts } = await import('#locales/en/auth.json', { with: { type: 'json' } });
    expect(FAILURE_TEXT[failureGroup(failure('a_code_of_tomorrow'))]).toBe('failure.other');
    expect(texts.failure.other).toBe('Authentication failed');
  });
});
