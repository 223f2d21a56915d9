import { expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { notificationMail } from '#app/platform/notification-mail.server.ts';

test.each(LANGUAGES)('nothing that nobody would see stands in a mail about a thing with such a name (%s)', (language) => {
  const subject = {
    key: 'notifyApprovalWaiting',
    values: { name: 'Ann\u2061', title: 'Pay\u200B\u202E Bob\u{e0041}' },
    about: { kind: 'approval' as const, id: '019a0000-0000-7000-8000-000000000001' },
  };
  const mail = notificationMail({
    language,
    workspace: 'Acme\u00AD',
    isDemo: false,
    messages: [
      {
        subject,
        link: 'https://quorate.test/a',
        run: { id: subject.about.id, number: 12, subject: null, workflow: 'Pay\u2061' },
        asked: null,
        approval: null,
      },
    ],
  });
  const whole = `${mail.subject} ${mail.text}`;
  expect(whole).not.toMatch(/[\u00AD\u200B\u202A-\u202E\u2060\u{E0000}-\u{E007F}]/u);
  expect(whole).toContain('Acme\\u{ad}');
  expect(whole).toContain('\\u{200b} Bob\\u{e0041}');
  expect(whole).toContain('Pay\\u{2061} · #12');
});

test.each([
  ['en', 'Jon Smith · €9,900.00 · #12'],
  ['de', 'Jon Smith · 9.900,00\u00A0€ · #12'],
] as const)('a mail names the run with the numbers of its reader (%s)', (language, name) => {
  const about = { kind: 'run' as const, id: '019a0000-0000-7000-8000-000000000001' };
  const message = {
    subject: { key: 'notifyRunFailed', values: { workflow: 'Payments' }, about },
    link: 'https://quorate.test/a',
    run: { id: about.id, number: 12, subject: ['Jon Smith · ', { amount: 9900, currency: 'EUR' }], workflow: 'Payments' },
    asked: null,
    approval: null,
  };
  const one = notificationMail({ language, workspace: 'Acme', isDemo: false, messages: [message] });
  expect(one.text).toContain(`\n${name}\nhttps://quorate.test/a\n`);
  // All blanks of a header are plain ones.
  expect(one.subject.startsWith(`${name.replaceAll('\u00A0', ' ')} · `)).toBe(true);
  const none = notificationMail({ language, workspace: 'Acme', isDemo: false, messages: [{ ...message, run: null }] });
  expect(`${none.subject} ${none.text}`).not.toContain('#12');
});

test.each([
  ['en', 'Ann asks for your decision: Run transfer with payee Jon Smith, amount 9,900 EUR'],
  ['de', 'transfer ausführen mit payee Jon Smith, amount 9.900 EUR'],
] as const)('a mail says in one sentence what an approval would do (%s)', (language, sentence) => {
  const asked = {
    action: 'transfer',
    values: [
      { field: 'payee', parts: ['Jon Smith'] },
      { field: 'amount', parts: [9900, ' EUR'] },
    ],
  };
  const about = { kind: 'approval' as const, id: '019a0000-0000-7000-8000-000000000001' };
  const subject = { key: 'notifyApprovalWaiting', values: { name: 'Ann', title: 'Transfer' }, about };
  const mail = notificationMail({
    language,
    workspace: 'Acme',
    isDemo: false,
    messages: [{ subject, link: 'https://quorate.test/a', run: null, asked, approval: null }],
  });
  expect(mail.subject).toContain(sentence);
  expect(mail.text).toContain(sentence);
});

test.each([
  [
    'en',
    [
      'payee: Jon Smith',
      'amount: €9,900.00',
      'on: Nov 25, 2026',
      'urgent: Yes',
      'lines: item Desk, price 480; item Lamp, price 20',
      'apiKey: •••',
      'extra: {"a":{"b":1,"token":"•••"}}',
      'Due: Nov 27, 2026, 9:30:00 AM UTC',
    ],
  ],
  ['de', ['payee: Jon Smith', 'amount: 9.900,00\u00A0€', 'on: 25.11.2026', 'urgent: Ja', 'Frist: 27.11.2026, 09:30:00 UTC']],
] as const)('a mail about an approval holds its question, its facts in their order and its due time (%s)', (language, lines) => {
  const about = { kind: 'approval' as const, id: '019a0000-0000-7000-8000-000000000001' };
  const fact = (name: string, value: Json | undefined) => ({ name, value });
  const approval = {
    due: '2026-11-27T09:30:00.000+00:00',
    question: 'May it be\npaid?',
    comment: null,
    facts: [
      fact('payee', 'Jon Smith'),
      fact('amount', { amount: 9900, currency: 'EUR' }),
      fact('on', '2026-11-25'),
      fact('urgent', true),
      fact('lines', [
        { item: 'Desk', price: 480 },
        { item: 'Lamp', price: 20 },
      ]),
      fact('apiKey', 'abc'),
      fact('extra', { a: { b: 1, token: 'abc' } }),
      fact('long', 'x'.repeat(1000)),
      fact('file', undefined),
    ],
  };
  const message = {
    subject: { key: 'notifyApprovalWaiting', values: { name: 'Ann', title: 'Pay' }, about },
    link: 'https://quorate.test/a',
    run: null,
    asked: null,
    approval,
  };
  const { text } = notificationMail({ language, workspace: 'Acme', isDemo: false, messages: [message] });
  const written = text.split('\n');
  expect(written.filter((line) => (lines as readonly string[]).includes(line))).toEqual(lines);
  expect(written).toContain('May it be paid?');
  expect(text).not.toContain('abc');
  expect(text).toContain(`long: ${'x'.repeat(299)}…\n`);
  expect(text).toContain('file: …\n');
  expect(written.indexOf('https://quorate.test/a')).toBe(written.findIndex((line) => line.startsWith(lines.at(-1) ?? '')) + 1);
});
