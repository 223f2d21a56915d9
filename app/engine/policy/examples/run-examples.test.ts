import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { exampleSchema, PLAIN_EXAMPLE, type PolicyExample } from '#app/domain/audit/policy-example.ts';
import { policyDocument, policyHash, policyLines, readPolicyDocument } from '#app/engine/policy/author-policy.ts';
import { failingExample, runExamples } from '#app/engine/policy/examples/run-examples.ts';

const TOOLS = new Map<string, Json>([
  ['crm/refund', { type: 'object', required: ['amount'], properties: { amount: { type: 'number' }, currency: { type: 'string' } } }],
]);
const OVER = `@id("over")
@verdict("require_approval")
@reason("Two people look at large refunds.")
@approvers("2")
forbid(principal, action == Action::"crm/refund", resource)
when { context.input.amount.greaterThan(decimal("500.0")) };
`;
const example = (given: Partial<PolicyExample>): PolicyExample => ({ ...PLAIN_EXAMPLE, name: 'One', ...given });
const refund = (amount: Json, more: Partial<PolicyExample> = {}) => example({ call: 'crm/refund', input: { amount }, ...more });
const verdictOf = (text: string, given: PolicyExample) => runExamples(text, [given], TOOLS)[0];

describe('an example', () => {
  it.each<[string, PolicyExample, string]>([
    ['an amount at the limit', refund(500), 'allow'],
    ['an amount over it', refund(500.01), 'require_approval'],
    ['one that two have approved', refund(501, { approvals: 2 }), 'allow'],
    ['one that only one has approved', refund(501, { approvals: 1 }), 'deny'],
    ['a call of something else', example({ call: 'call_model', capability: 'gpt' }), 'allow'],
  ])('decides %s', (_what, given, verdict) => {
    expect(verdictOf(OVER, given)).toMatchObject({ verdict, passes: verdict === 'deny' });
    expect(verdictOf(OVER, { ...given, expected: exampleSchema.shape.expected.parse(verdict) })?.passes).toBe(true);
  });

  it.each<[string, string, Partial<PolicyExample>]>([
    ['the mode', 'context.mode == "test"', { mode: 'test' }],
    ['the risk', 'context.risk == "high"', { risk: 'high' }],
    ['findings', 'context.findings >= 3', { findings: 3 }],
    ['personal data', 'context.personalData.contains("iban")', { personalData: ['iban'] }],
    ['the hour and the day', 'context.hour == 22 && context.weekday == "sunday"', { hour: 22, weekday: 'sunday' }],
    ['the date, which fits the day', 'context.weekday == "tuesday" && context.date == "2026-01-06"', { weekday: 'tuesday' }],
    ['the cost', 'context.costInRun.greaterThanOrEqual(decimal("2.5"))', { costInRun: 2.5 }],
    ['calls before', 'context.callsInRun >= 10', { callsInRun: 10 }],
    ['the author', 'context.requesterIsAuthor', { requesterIsAuthor: true }],
    ['the workflow', 'context.workflow.id == "w"', { workflow: 'w' }],
    ['the agent', 'context.agent == "Ava"', { agent: 'Ava' }],
    ['the connection', 'resource.connection.slug == "crm"', { connection: 'crm' }],
    ['the host', 'resource.connection.host == "x.example"', { host: 'x.example' }],
    ['what may receive personal data', 'resource.connection.personalDataAllowed', { personalDataAllowed: true }],
    ['what is built in', 'resource.connection.builtin', { builtin: true }],
    ['the role', 'principal in Role::"auditor"', { role: 'auditor' }],
    ['the name', 'resource.name == "pay"', { capability: 'pay' }],
  ])('brings %s', (_what, condition, given) => {
    const text = `@id("a") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { ${condition} };`;
    expect(verdictOf(text, example(given))?.verdict).toBe('deny');
    expect(verdictOf(text, example({}))?.verdict).toBe('allow');
  });

  it('does not pass by a refusal that no rule decided', () => {
    for (const given of [refund('much'), refund(1e20)]) expect(verdictOf(OVER, given)).toMatchObject({ verdict: 'deny', passes: false });
    expect(runExamples('forbid(', [refund(1)], TOOLS)[0]).toMatchObject({ verdict: 'deny', passes: false });
    expect(failingExample(OVER, [refund(501, { expected: 'require_approval' }), refund(1, { name: 'Small' })], TOOLS)?.name).toBe('Small');
    expect(failingExample(OVER, [refund(1, { expected: 'allow' })], TOOLS)).toBeNull();
  });
});

describe('the examples of a version', () => {
  it('are in its digest; without any the digest is what it was', () => {
    const hashes = [[], [refund(1)], [refund(2)]].map((examples) => policyHash(policyDocument(OVER, examples)));
    expect(new Set(hashes).size).toBe(3);
    expect(policyDocument(OVER, [])).toEqual({ format: 'quorate.policy/1', text: OVER });
  });

  it('come back from the stored document, and stand in its lines', () => {
    const document = policyDocument(OVER, [refund(600, { expected: 'require_approval' })]);
    const stored: unknown = JSON.parse(JSON.stringify(document));
    expect(readPolicyDocument(stored)).toEqual(document);
    expect(policyLines(stored)).toBe(`${OVER}\n// One → require_approval: {"call":"crm/refund","input":{"amount":600}}`);
    expect(policyLines(policyDocument(OVER))).toBe(OVER);
  });
});
