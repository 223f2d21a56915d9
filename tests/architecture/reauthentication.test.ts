import { expect, it } from 'vitest';
import { sourceFiles } from '#tests/architecture/source-files.ts';

// Whoever can note that a person proved who they are votes as them: only what has just checked their password does.

const CHECKS_PASSWORDS = [
  'app/features/auth/session/reauthenticate.server.ts',
  // The demo's people have just signed in.
  'app/runtime.server.ts',
];

it('only the code that has checked a password notes it', () => {
  const calls = sourceFiles('app').filter(({ text }) => /\.noteReauthentication\(/.test(text));
  expect(calls.map(({ path }) => path).sort()).toEqual(CHECKS_PASSWORDS);
});

it('the key that proves a process stays with the sessions of the database', () => {
  const holders = sourceFiles('app').filter(({ path, text }) => /processKey\b/.test(text) && !path.startsWith('app/platform/'));
  expect(holders.map(({ path }) => path)).toEqual([]);
});
