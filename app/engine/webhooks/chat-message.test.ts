import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { NoticeWords } from '#app/domain/people/notice.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { chatMessage } from '#app/engine/webhooks/chat-message.ts';

const LINK = 'https://quorate.test/dashboard/approvals/019a0000-0000-7000-8000-000000000001';
const HARMFUL = [
  '<!channel>',
  '<!here|here>',
  '<@U024BE7LH>',
  '<#C024BE7LR>',
  '<https://evil.test|Approve>',
  '&lt;!channel&gt;',
  '@everyone',
  '<at>Everyone</at>',
  '[Approve](https://evil.test)',
  '{{DATE(2026-01-01T00:00:00Z, SHORT)}}',
  '*bold* _it_ `code`',
];
const outside = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.constantFrom(...HARMFUL),
  fc.tuple(fc.string(), fc.constantFrom(...HARMFUL)).map(String),
);
const line = fc.option(outside, { nil: null });
const words = fc.record<NoticeWords>({
  text: outside,
  run: line,
  question: line,
  comment: line,
  facts: fc.array(fc.record({ name: outside, text: outside }), { maxLength: 12 }),
  more: line,
  due: line,
  open: fc.constant('Open in Quorate'),
  workspace: outside,
});
const language = fc.constantFrom(...LANGUAGES);

type Node = { [name: string]: Json };
/** Every object in it. */
function* nodesOf(value: Json): Generator<Node> {
  if (Array.isArray(value)) for (const entry of value) yield* nodesOf(entry);
  else if (value !== null && typeof value === 'object') {
    yield value;
    for (const member of Object.values(value)) yield* nodesOf(member);
  }
}
const readSlack = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test('nothing from outside becomes a link, a mention or a command in Slack, and all of it can be read', () => {
  fc.assert(
    fc.property(words, language, (given, reader) => {
      const message = chatMessage('slack', { ...given, link: LINK, language: reader }) as Node;
      const nodes = [...nodesOf(message)];
      const marked = nodes.filter(({ type }) => type === 'mrkdwn');
      expect(marked).toEqual([{ type: 'mrkdwn', text: `<${LINK}|Open in Quorate>`, verbatim: true }]);
      const plain = [message.text, ...nodes.filter(({ type }) => type === 'plain_text').map(({ text }) => text)].map(String);
      for (const text of plain) expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      const read = plain.map(readSlack);
      for (const { name, text } of given.facts) expect(read).toContain(`${name}: ${text}`);
      if (given.question !== null) expect(read).toContain(given.question);
      for (const { fields } of nodes) if (Array.isArray(fields)) expect(fields.length).toBeLessThanOrEqual(10);
      expect(nodes.some(({ type }) => type === 'button' || type === 'actions')).toBe(false);
    }),
  );
});

test('nothing from outside becomes markup, a mention, a date or an act in a card of Teams', () => {
  fc.assert(
    fc.property(words, language, (given, reader) => {
      const message = chatMessage('teams', { ...given, link: LINK, language: reader }) as Node;
      const nodes = [...nodesOf(message)];
      // These alone read markup.
      expect(nodes.filter(({ type }) => type === 'TextBlock')).toEqual([
        { type: 'TextBlock', text: `[Open in Quorate](${LINK})`, wrap: true },
      ]);
      for (const { type } of nodes) expect([undefined, 'message', 'AdaptiveCard', 'RichTextBlock', 'TextRun', 'TextBlock']).toContain(type);
      const runs = nodes.filter(({ type }) => type === 'TextRun').map(({ text }) => String(text));
      for (const text of runs) expect(text).not.toContain('{{');
      for (const { name, text } of given.facts) expect(runs.join('\n')).toContain(`${name}: \n${text}`.replaceAll(/\{(?=\{)/g, '{ '));
      expect(JSON.stringify(message)).not.toContain('"msteams"');
    }),
  );
});

test.each([
  ['en', false],
  ['ar', true],
] as const)('a card of Teams is the message that its workflows take, in the direction of its reader (%s)', (reader, rtl) => {
  const given = {
    text: 'Ann asks',
    run: null,
    question: 'Pay?',
    comment: null,
    facts: [],
    more: null,
    due: 'Due: today',
    open: 'Open',
    workspace: 'Acme',
  };
  expect(chatMessage('teams', { ...given, link: LINK, language: reader })).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: { type: 'AdaptiveCard', version: '1.5', lang: reader, rtl, body: expect.any(Array) },
      },
    ],
  });
});
