import { describe, expect, test } from 'vitest';
import type { AuthFailure } from '#app/features/auth/auth-client.ts';
import { failureGroup, passwordFaults } from '#app/features/auth/auth-failure.ts';

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
