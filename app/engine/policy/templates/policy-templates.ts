import { PLAIN_EXAMPLE, type PolicyExample } from '#app/domain/audit/policy-example.ts';

/**
 * A policy to begin with: rules and the examples that they pass. `tool` is the `connection/tool` of which its rules speak, and which its
 * author replaces by one of their own; null: the rules are about all calls.
 */
export type PolicyTemplate = { slug: string; tool: string | null; text: string; examples: readonly PolicyExample[] };

const example = (name: string, expected: PolicyExample['expected'], facts: Partial<PolicyExample>): PolicyExample => ({
  ...PLAIN_EXAMPLE,
  ...{ name, expected },
  ...facts,
});
const head = (id: string, verdict: string, reason: string, terms = '') =>
  `@id("${id}")\n@verdict("${verdict}")\n@reason("${reason}")\n${terms}`;
const tool = (name: string) => `forbid(principal, action == Action::"${name}", resource)\n`;
const over = (field: string, limit: string) => `context.input.${field}.greaterThan(decimal("${limit}"))`;

export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  {
    // the rule of the customer support agent in AWS's documentation of AgentCore policies: refunds of less than a limit alone
    slug: 'support-refunds',
    tool: 'support/process_refund',
    text: `${head('refund_limit', 'deny', 'Refunds of 1,000 or more are made by a person.')}${tool('support/process_refund')}unless { context.input.amount.lessThan(decimal("1000.0")) };\n`,
    examples: [
      example('A refund of 500', 'allow', { call: 'support/process_refund', input: { amount: 500 } }),
      example('A refund of 1,000', 'deny', { call: 'support/process_refund', input: { amount: 1000 } }),
    ],
  },
  {
    slug: 'bank-payments',
    tool: 'bank/transfer',
    text: `${head('large_payment', 'require_approval', 'Two people release payments over 10,000 EUR.', '@approvers("2")\n@due_hours("24")\n')}${tool('bank/transfer')}when { ${over('amount', '10000.0')} && context.input.currency == "EUR" };

${head('foreign_currency', 'require_approval', 'A person releases payments in another currency.')}${tool('bank/transfer')}unless { context.input.currency == "EUR" };\n`,
    examples: [
      example('A small payment in euros', 'allow', { call: 'bank/transfer', input: { amount: 900, currency: 'EUR' } }),
      example('A large payment in euros', 'require_approval', { call: 'bank/transfer', input: { amount: 10_000.01, currency: 'EUR' } }),
      example('A large payment that two have released', 'allow', {
        ...{ call: 'bank/transfer', input: { amount: 20_000, currency: 'EUR' }, approvals: 2 },
      }),
      example('A small payment in dollars', 'require_approval', { call: 'bank/transfer', input: { amount: 1, currency: 'USD' } }),
    ],
  },
  {
    slug: 'bank-hours',
    tool: 'bank/transfer',
    text: `${head('at_night', 'require_approval', 'Payments at night are looked at by a person.')}${tool('bank/transfer')}when { context.mode == "live" && context.hour >= 20 };

${head('on_sunday', 'deny', 'No payments on Sundays.')}${tool('bank/transfer')}when { context.weekday == "sunday" };\n`,
    examples: [
      example('At noon', 'allow', { call: 'bank/transfer', input: { amount: 5, currency: 'EUR' } }),
      example('At nine in the evening', 'require_approval', { call: 'bank/transfer', input: { amount: 5, currency: 'EUR' }, hour: 21 }),
      example('On a Sunday', 'deny', { call: 'bank/transfer', input: { amount: 5, currency: 'EUR' }, weekday: 'sunday' }),
    ],
  },
  {
    slug: 'bank-new-payee',
    tool: 'bank/transfer',
    text: `${head('new_payee', 'require_approval', 'Two people release payments over 10,000 EUR to a payee who was never paid before.', '@approvers("2")\n@due_hours("24")\n')}${tool('bank/transfer')}when { context.callsToPayee == 0 && ${over('amount', '10000.0')} && context.input.currency == "EUR" };

${head('many_today', 'deny', 'Payments of one person stop after 200 calls a day.')}${tool('bank/transfer')}when { context.callsToday >= 200 };\n`,
    examples: [
      example('A small payment to a new payee', 'allow', { call: 'bank/transfer', input: { amount: 900, currency: 'EUR' } }),
      example('A large payment to a new payee', 'require_approval', {
        ...{ call: 'bank/transfer', input: { amount: 10_000.01, currency: 'EUR' } },
      }),
      example('A large payment to a payee who was paid before', 'allow', {
        ...{ call: 'bank/transfer', input: { amount: 20_000, currency: 'EUR' }, callsToPayee: 1 },
      }),
      example('The call after two hundred', 'deny', {
        ...{ call: 'bank/transfer', input: { amount: 5, currency: 'EUR' }, callsToPayee: 3, callsToday: 200 },
      }),
    ],
  },
  {
    slug: 'bank-payee',
    tool: 'bank/change_payee',
    text: `${head('bank_details', 'require_approval', 'Two people check new bank details of a payee.', '@approvers("2")\n@due_hours("48")\n')}${tool('bank/change_payee')}when { context.input has iban };\n`,
    examples: [
      example('Another postal address', 'allow', { call: 'bank/change_payee', input: { payee: 'P-17', address: '1 New Street' } }),
      example('Another account', 'require_approval', {
        call: 'bank/change_payee',
        input: { payee: 'P-17', iban: 'DE02120300000000202051' },
      }),
      example('Another account that two have checked', 'allow', {
        ...{ call: 'bank/change_payee', input: { payee: 'P-17', iban: 'DE02120300000000202051' }, approvals: 2 },
      }),
    ],
  },
  {
    slug: 'hospital-disclosure',
    tool: 'clinic/send_record',
    text: `${head('only_the_treating', 'deny', 'Records go to treating physicians and to insurers alone.')}${tool('clinic/send_record')}unless { context.input.recipient == "physician" || context.input.recipient == "insurer" };

${head('whole_record', 'require_approval', 'A physician agrees before a whole record is sent.')}${tool('clinic/send_record')}when { (context.input has complete && context.input.complete) };\n`,
    examples: [
      example('A finding to the physician', 'allow', { call: 'clinic/send_record', input: { recipient: 'physician' } }),
      example('To an employer', 'deny', { call: 'clinic/send_record', input: { recipient: 'employer' } }),
      example('The whole record to an insurer', 'require_approval', {
        ...{ call: 'clinic/send_record', input: { recipient: 'insurer', complete: true } },
      }),
    ],
  },
  {
    slug: 'hospital-prescriptions',
    tool: 'clinic/prescribe',
    text: `${head('prescription', 'require_approval', 'A physician signs each prescription.', '@due_hours("8")\n')}${tool('clinic/prescribe').trimEnd()};

${head('dose', 'deny', 'A dose over 1,000 mg is never written by an agent.')}${tool('clinic/prescribe')}when { context.input.milligrams > 1000 };\n`,
    examples: [
      example('A usual dose', 'require_approval', { call: 'clinic/prescribe', input: { milligrams: 400 } }),
      example('A dose over the limit', 'deny', { call: 'clinic/prescribe', input: { milligrams: 1001 } }),
    ],
  },
  {
    slug: 'hospital-hours',
    tool: 'clinic/open_record',
    text: `${head('in_the_evening', 'require_approval', 'From 8 pm on a second person agrees before a record is opened.')}${tool('clinic/open_record')}when { context.mode == "live" && context.hour >= 20 };

${head('before_the_round', 'require_approval', 'Before 7 am a second person agrees before a record is opened.')}${tool('clinic/open_record')}when { context.mode == "live" }\nunless { context.hour >= 7 };\n`,
    examples: [
      example('During the day', 'allow', { call: 'clinic/open_record', input: { patient: 'M-204' } }),
      example('At ten in the evening', 'require_approval', { call: 'clinic/open_record', input: { patient: 'M-204' }, hour: 22 }),
      example('At three in the night', 'require_approval', { call: 'clinic/open_record', input: { patient: 'M-204' }, hour: 3 }),
      example('At night, agreed by another person', 'allow', {
        ...{ call: 'clinic/open_record', input: { patient: 'M-204' }, hour: 3, approvals: 1 },
      }),
    ],
  },
  {
    slug: 'office-mail',
    tool: 'mail/send',
    text: `${head('attachment_outside', 'warn', 'An attachment leaves the company.')}${tool('mail/send')}when { (context.input has attachment && context.input.attachment) }\nunless { context.input.to like "*@example.com*" };\n`,
    examples: [
      example('A mail outside', 'allow', { call: 'mail/send', input: { to: 'ada@elsewhere.org' } }),
      example('An attachment to a colleague', 'allow', { call: 'mail/send', input: { to: 'ada@example.com', attachment: true } }),
      example('An attachment outside', 'warn', { call: 'mail/send', input: { to: 'ada@elsewhere.org', attachment: true } }),
    ],
  },
  {
    slug: 'office-separation',
    tool: null,
    text: `${head('own_workflow', 'require_approval', 'Whoever wrote a workflow does not run it alone.')}forbid(principal, action, resource)\nwhen { context.mode == "live" && context.requesterIsAuthor }\nunless { resource.connection.builtin };\n`,
    examples: [
      example('Another person runs it', 'allow', {}),
      example('Its author runs it', 'require_approval', { requesterIsAuthor: true }),
      example('Its author tests it', 'allow', { requesterIsAuthor: true, mode: 'test' }),
    ],
  },
  {
    slug: 'office-budget',
    tool: null,
    text: `${head('budget', 'require_approval', 'A person looks at runs that cost more than 25 dollars.')}forbid(principal, action == Action::"call_model", resource)\nwhen { context.costInRun.greaterThanOrEqual(decimal("25.0")) };

${head('endless', 'deny', 'A run makes 500 calls at most.')}forbid(principal, action, resource)\nwhen { context.callsInRun >= 500 };\n`,
    examples: [
      example('A usual run', 'allow', { call: 'call_model', costInRun: 3, callsInRun: 12 }),
      example('A run over its budget', 'require_approval', { call: 'call_model', costInRun: 25 }),
      example('A run without an end', 'deny', { callsInRun: 500 }),
    ],
  },
];
