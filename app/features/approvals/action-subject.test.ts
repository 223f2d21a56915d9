import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { ActionSubject } from '#app/domain/audit/action-digest.ts';
import { actionDigest } from '#app/engine/runs/steps/digest.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';

const subject: ActionSubject = {
  workspaceId: 'w',
  runId: 'r',
  stepPath: 'triage/hit/send',
  connection: { id: 'c', name: 'CRM', slug: 'crm', kind: 'mcp' },
  capability: { id: 't', name: 'send_letter', kind: 'tool', fingerprint: 'f' },
  input: { text: 'Dear customer', copies: 2 },
  policyVersion: 'p',
};
const digest = actionDigest(subject);
const changed = (part: Partial<ActionSubject>) => ({ ...subject, ...part }) as unknown as Json;

describe('isActionAsDigested', () => {
  it('is true for what the digest binds, with what a question shows beside it', () => {
    expect(isActionAsDigested(changed({}), digest)).toBe(true);
    expect(isActionAsDigested({ ...(changed({}) as { [key: string]: Json }), question: 'May it be sent?', show: {} }, digest)).toBe(true);
    const asked = { ...subject, connection: null, capability: null, input: { question: 'May it be sent?', show: { Payee: 'Ann' } } };
    expect(isActionAsDigested(asked as Json, actionDigest(asked))).toBe(true);
  });

  it.each<[string, Json]>([
    ['another input', changed({ input: { text: 'Dear customer', copies: 3 } })],
    ['a further input', changed({ input: { ...subject.input, blind: true } })],
    ['another step', changed({ stepPath: 'triage/clear/send' })],
    ['another run', changed({ runId: 'r2' })],
    ['another connection', changed({ connection: { id: 'c2', name: 'CRM', slug: 'crm', kind: 'mcp' } })],
    ['another definition', changed({ capability: { id: 't', name: 'send_letter', kind: 'tool', fingerprint: 'g' } })],
    ['other policies', changed({ policyVersion: 'p2' })],
    ['nothing', {}],
    ['no object', 'send it'],
    ['an input that is none', { ...(changed({}) as { [key: string]: Json }), input: ['text'] }],
  ])('is false for %s', (_what, shown) => {
    expect(isActionAsDigested(shown, digest)).toBe(false);
  });
});
