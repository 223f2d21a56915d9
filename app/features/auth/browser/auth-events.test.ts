import { expect, test } from 'vitest';
import { deriveAuthEvents } from '#app/features/auth/browser/auth-events.ts';
import type { SessionView } from '#app/features/auth/session/load-session.server.ts';

const ANONYMOUS: SessionView = { user: null, profile: null, expiresAt: null, assurance: null, recovered: false };
const ADA: SessionView = {
  user: { id: 'ada', email: 'ada@example.com' },
  profile: { role: 'user', name: 'Ada' },
  expiresAt: 100,
  assurance: 'aal1',
  recovered: false,
};

test.each([
  ['the first page', null, ADA, ['INITIAL_SESSION']],
  ['the first page of nobody', null, ANONYMOUS, ['INITIAL_SESSION']],
  ['a page in recovery', null, { ...ADA, recovered: true }, ['INITIAL_SESSION', 'PASSWORD_RECOVERY']],
  ['signing in', ANONYMOUS, ADA, ['SIGNED_IN']],
  ['signing in by recovery', ANONYMOUS, { ...ADA, recovered: true }, ['SIGNED_IN', 'PASSWORD_RECOVERY']],
  ['signing out', ADA, ANONYMOUS, ['SIGNED_OUT']],
  ['somebody else', ADA, { ...ADA, user: { id: 'bob', email: 'bob@example.com' } }, ['SIGNED_IN']],
  ['a new token', ADA, { ...ADA, expiresAt: 200 }, ['TOKEN_REFRESHED']],
  ['a second factor', ADA, { ...ADA, expiresAt: 200, assurance: 'aal2' as const }, ['MFA_CHALLENGE_VERIFIED']],
  ['a new name', ADA, { ...ADA, profile: { role: 'user', name: 'Countess' } }, ['USER_UPDATED']],
  ['a new address', ADA, { ...ADA, user: { id: 'ada', email: 'new@example.com' } }, ['USER_UPDATED']],
  ['nothing', ADA, { ...ADA }, []],
])('%s', (_, before, after, events) => {
  expect(deriveAuthEvents(before, after)).toEqual(events);
});
