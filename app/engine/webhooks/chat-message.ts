import type { Json } from '#app/contracts/json.ts';
import type { NoticeWords } from '#app/domain/people/notice.ts';
import type { WebhookFormat } from '#app/domain/people/notification-kinds.ts';
import { directionOf, type Language } from '#app/domain/web/languages.ts';

/** `link`: a full address of Quorate, the only thing in a message that leads anywhere. */
type ChatMessage = NoticeWords & { link: string; language: Language };

export function chatMessage(format: Exclude<WebhookFormat, 'json'>, message: ChatMessage): Json {
  return format === 'slack' ? slackMessage(message) : teamsMessage(message);
}

/** A text of which, as it is written, no more than `most` is left. */
function cutText(text: string, most: number, sizeOf: (text: string) => number): string {
  if (sizeOf(text) <= most) return text;
  let [kept, size] = ['', sizeOf('…')];
  for (const character of text) {
    size += sizeOf(character);
    if (size > most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Slack turns what stands between angle brackets into links and mentions; plain text has nothing else that it reads. */
const slackText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Slack takes a message of some 13,000 characters, which is less than its blocks may hold one by one. Escapes count. */
const SLACK_MOST = { line: 800, name: 120, fact: 450, aside: 300 };
const slackLength = (text: string) => slackText(text).length;
const slackCut = (text: string, most: number) => slackText(cutText(text, most, slackLength));
const slackShort = (name: string) => cutText(name, SLACK_MOST.name, slackLength);
const slackPlain = (text: string, most: number) => ({ type: 'plain_text', text: slackCut(text, most), emoji: false });
/** As many as a section of Slack holds. */
const SLACK_FIELDS = 10;

/** https://docs.slack.dev/reference/block-kit */
function slackMessage(message: ChatMessage): Json {
  const { text, run, question, comment, facts, more, due, open, workspace, link } = message;
  const section = (line: string | null) => (line === null ? [] : [{ type: 'section', text: slackPlain(line, SLACK_MOST.line) }]);
  const fields = Array.from({ length: Math.ceil(facts.length / SLACK_FIELDS) }, (_, place) => ({
    type: 'section',
    fields: facts
      .slice(place * SLACK_FIELDS, (place + 1) * SLACK_FIELDS)
      .map(({ name, text: value }) => slackPlain(`${slackShort(name)}: ${value}`, SLACK_MOST.fact)),
  }));
  const context = [run, due, workspace]
    .filter((line) => line !== null && line !== '')
    .map((line) => slackPlain(line ?? '', SLACK_MOST.aside));
  return {
    text: slackCut(text, SLACK_MOST.line),
    mrkdwn: false,
    blocks: [
      ...section(text),
      ...section(question),
      ...section(comment),
      ...fields,
      ...section(more),
      ...(context.length === 0 ? [] : [{ type: 'context', elements: context }]),
      { type: 'section', text: { type: 'mrkdwn', text: `<${link}|${slackText(open)}>`, verbatim: true } },
    ],
  };
}

/** Cards read no markup in the runs of a rich text block, and fill in dates alone, which begin with two braces. */
const teamsText = (text: string) => text.replaceAll(/\{(?=\{)/g, '{ ');
/** Teams takes a message of 28 KB, some of its receivers counted in UTF-16: 14,000 characters, the card around the words among them. */
const TEAMS_MOST = { line: 600, name: 100, fact: 300, aside: 300 };
const lengthInJson = (text: string) => JSON.stringify(text).length - 2;
const teamsCut = (text: string, most: number) => cutText(teamsText(text), most, lengthInJson);
const teamsLine = (...runs: { text: string; most?: number; weight?: string; isSubtle?: boolean }[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map(({ most = TEAMS_MOST.line, ...run }) => ({ type: 'TextRun', ...run, text: teamsCut(run.text, most) })),
});

/** The card that a workflow of Teams posts: https://adaptivecards.io/explorer/ and the trigger 'When a Teams webhook request is received'. */
function teamsMessage(message: ChatMessage): Json {
  const { text, run, question, comment, facts, more, due, open, workspace, link, language } = message;
  const line = (written: string | null, subtle = false) =>
    written === null || written === '' ? [] : [teamsLine({ text: written, ...(subtle ? { isSubtle: true, most: TEAMS_MOST.aside } : {}) })];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    lang: language,
    rtl: directionOf(language) === 'rtl',
    body: [
      teamsLine({ text, weight: 'Bolder' }),
      ...line(question),
      ...line(comment),
      ...facts.map(({ name, text: value }) =>
        teamsLine({ text: `${teamsCut(name, TEAMS_MOST.name)}: `, weight: 'Bolder' }, { text: value, most: TEAMS_MOST.fact }),
      ),
      ...line(more),
      ...line(due),
      ...line([run, workspace].filter((part) => part !== null && part !== '').join(' · '), true),
      { type: 'TextBlock', text: `[${open}](${link})`, wrap: true },
    ],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}
