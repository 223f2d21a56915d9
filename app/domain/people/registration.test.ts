import { expect, test } from 'vitest';
import { admitsAddress, mayFound, readRegistration } from '#app/domain/people/registration.ts';

test.each([
  ['open', { kind: 'open' }],
  [' Invited ', { kind: 'invited' }],
  ['closed', { kind: 'closed' }],
  ['acme.example, @ACME.org,acme.example', { kind: 'domains', domains: ['acme.example', 'acme.org'] }],
  ['off', null],
  ['acme', null],
  ['acme.example,', null],
  ['*.acme.example', null],
  ['ada@acme.example', null],
])('%j is read as %j', (text, read) => {
  expect(readRegistration(text)).toEqual(read);
});

const acme = { kind: 'domains', domains: ['acme.example'] } as const;
test.each([
  ['Ada@Acme.Example', true],
  ['ada@mail.acme.example', false],
  ['ada@acme.example.evil.example', false],
  ['"ada@acme.example"@evil.example', false],
  ['ada@notacme.example', false],
  ['', false],
])('an address %j of the domain: %j', (email, admitted) => {
  expect(admitsAddress(acme, email)).toBe(admitted);
});

test('without an invitation nobody is admitted where invitations are asked for or nobody is taken', () => {
  expect(admitsAddress({ kind: 'open' }, 'ada@acme.example')).toBe(true);
  for (const kind of ['invited', 'closed'] as const) expect(admitsAddress({ kind }, 'ada@acme.example')).toBe(false);
});

test('workspaces are founded by anyone, by who is an admin somewhere, or by nobody', () => {
  const [admin, builder] = [{ roles: ['user', 'admin'] }, { roles: ['user', 'builder'] }];
  expect(mayFound('anyone', [])).toBe(true);
  expect(mayFound('admins', [builder])).toBe(false);
  expect(mayFound('admins', [builder, admin])).toBe(true);
  expect(mayFound('nobody', [admin])).toBe(false);
});
