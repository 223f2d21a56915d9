import { expect, test } from 'vitest';
import { STEP_KINDS, type StepKind } from '#app/contracts/statuses.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';
import { findSteps } from '#app/features/workflows/editor/find-steps.ts';

const kinds = Object.fromEntries(STEP_KINDS.map((kind) => [kind, { title: kind, description: `About ${kind}` }])) as Record<
  StepKind,
  { title: string; description: string }
>;
const target = (more: Partial<StepTarget>): StepTarget => ({
  id: '1',
  connection: 'mail',
  connectionName: 'Mail server',
  protocol: 'mcp',
  capability: 'send_mail',
  title: 'Send mail',
  description: 'Sends a message to an address.',
  approved: true,
  inputSchema: null,
  outputSchema: null,
  fingerprint: 'f',
  repeatable: false,
  effect: 'writes',
  ...more,
});

test('all kinds come first, then all that is connected', () => {
  const { found, more } = findSteps('', kinds, [target({})]);
  expect(found.map(({ title }) => title)).toEqual([...STEP_KINDS, 'Send mail']);
  expect(more).toBe(0);
});

test('finds by title, description and connection, words in any order, those in the title first', () => {
  const targets = [target({ capability: 'log', title: 'Write a log', description: 'Notes what was sent by mail' }), target({})];
  expect(findSteps('MAIL send', kinds, targets).found.map(({ title }) => title)).toEqual(['Send mail']);
  expect(findSteps('mail', kinds, targets).found.map(({ title }) => title)).toEqual(['Send mail', 'Write a log']);
  expect(findSteps('address server', kinds, targets).found.map(({ title }) => title)).toEqual(['Send mail']);
  expect(findSteps('nothing of the kind', kinds, targets).found).toEqual([]);
});

test('says what a call does, of which kind its step is, and how many were left out', () => {
  const api = target({ connection: 'core', protocol: 'http', capability: 'get', title: 'GET', effect: 'reads', approved: false });
  expect(findSteps('get', kinds, [api]).found).toEqual([
    expect.objectContaining({ kind: 'http', target: { value: 'core/get', connection: 'Mail server', approved: false, effect: 'reads' } }),
  ]);
  const many = Array.from({ length: 50 }, (_, n) => target({ capability: `t${n}`, title: `Tool number ${n}` }));
  expect(findSteps('number', kinds, many)).toMatchObject({ found: { length: 40 }, more: 10 });
});

test('a name that hides characters is shown with them', () => {
  const { found } = findSteps('mail', kinds, [target({ title: 'Send\u202Email', connectionName: 'A\u200BB' })]);
  expect(found[0]?.title).not.toBe('Send\u202Email');
});
