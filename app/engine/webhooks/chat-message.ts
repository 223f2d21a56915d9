import type { Json } from '#app/contracts/json.ts';
import type { NoticeWords } from '#app/domain/people/notice.ts';
import type { WebhookFormat } from '#app/domain/people/notification-kinds.ts';
import { directionOf, type Language } from '#app/domain/web/languages.ts';

/** `link`: a full address of Quorate, the only thing in a message that leads anywhere. */
type ChatMessage = NoticeWords & { link: string; language: Language };

export function chatMessage(format: Exclude<WebhookFormat, 'json'>, message: ChatMessage): Json {
  return format === 'slack' ? slackMessage(message) : teamsMessage(message);
}

/** Slack turns what stands between angle brackets into links and mentions; plain text has nothing else that it reads. */
const slackText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const slackPlain = (text: string) => ({ type: 'plain_text', text: slackText(text), emoji: false });
/** As many as a section of Slack holds. */
const SLACK_FIELDS = 10;

/** https://docs.slack.dev/reference/block-kit */
function slackMessage(message: ChatMessage): Json {
  const { text, run, question, comment, facts, more, due, open, workspace, link } = message;
  const section = (line: string | null) => (line === null ? [] : [{ type: 'section', text: slackPlain(line) }]);
  const fields = Array.from({ length: Math.ceil(facts.length / SLACK_FIELDS) }, (_, place) => ({
    type: 'section',
    fields: facts.slice(place * SLACK_FIELDS, (place + 1) * SLACK_FIELDS).map(({ name, text: value }) => slackPlain(`${name}: ${value}`)),
  }));
  const context = [run, due, workspace].filter((line) => line !== null && line !== '').map((line) => slackPlain(line ?? ''));
  return {
    text: slackText(text),
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
const teamsLine = (...runs: { text: string; weight?: string; isSubtle?: boolean }[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run, text: teamsText(run.text) })),
});

/** The card that a workflow of Teams posts: https://adaptivecards.io/explorer/ and the trigger 'When a Teams webhook request is received'. */
function teamsMessage(message: ChatMessage): Json {
  const { text, run, question, comment, facts, more, due, open, workspace, link, language } = message;
  const line = (written: string | null, subtle = false) =>
    written === null || written === '' ? [] : [teamsLine({ text: written, ...(subtle ? { isSubtle: true } : {}) })];
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
      ...facts.map(({ name, text: value }) => teamsLine({ text: `${name}: `, weight: 'Bolder' }, { text: value })),
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
