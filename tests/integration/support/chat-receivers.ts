import { z } from 'zod';

/**
 * Receivers that take what Slack and Teams document, and refuse everything else as they do. Slack: https://docs.slack.dev/reference/block-kit
 * and https://docs.slack.dev/messaging/formatting-message-text; Teams: https://adaptivecards.io/explorer/ and the trigger 'When a Teams
 * webhook request is received', whose limit of 28 KB some receivers count in UTF-16.
 */
const SLACK_BLOCKS_CHARACTERS = 13_000;
const TEAMS_UTF16_BYTES = 28 * 1024;

/** Control characters of Slack stand in entities; a link or a mention is what is left between angle brackets. */
const slackText = (most: number) => z.string().min(1).max(most);
const plain = (most: number) => z.strictObject({ type: z.literal('plain_text'), text: slackText(most), emoji: z.boolean().optional() });
const marked = (most: number) => z.strictObject({ type: z.literal('mrkdwn'), text: slackText(most), verbatim: z.boolean().optional() });
const textOf = (most: number) => z.discriminatedUnion('type', [plain(most), marked(most)]);
const slackBlock = z.union([
  z.strictObject({ type: z.literal('section'), text: textOf(3_000) }),
  z.strictObject({ type: z.literal('section'), fields: z.array(textOf(2_000)).min(1).max(10) }),
  z.strictObject({ type: z.literal('context'), elements: z.array(textOf(3_000)).min(1).max(10) }),
]);
const slackMessage = z.strictObject({
  text: slackText(4_000),
  mrkdwn: z.boolean().optional(),
  blocks: z
    .array(slackBlock)
    .min(1)
    .max(50)
    .refine((blocks) => JSON.stringify(blocks).length <= SLACK_BLOCKS_CHARACTERS, 'msg_blocks_too_long'),
});

const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().min(1),
  weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
  isSubtle: z.boolean().optional(),
});
const cardElement = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(textRun).min(1) }),
  z.strictObject({ type: z.literal('TextBlock'), text: z.string().min(1), wrap: z.boolean().optional() }),
]);
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.enum(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5']),
          lang: z.string(),
          rtl: z.boolean(),
          body: z.array(cardElement).min(1),
        }),
      }),
    )
    .length(1),
});

export type SlackMessage = z.output<typeof slackMessage>;
export type TeamsMessage = z.output<typeof teamsMessage>;

/** Answers as an incoming webhook of Slack does, and hands on what it would show. */
export async function receiveAsSlack(request: Request, show: (message: SlackMessage) => void): Promise<Response> {
  const read = slackMessage.safeParse(await jsonOf(request));
  if (!read.success) return new Response(z.prettifyError(read.error), { status: 400 });
  show(read.data);
  return new Response('ok');
}

/** Answers as a workflow of Teams does. */
export async function receiveAsTeams(request: Request, show: (message: TeamsMessage) => void): Promise<Response> {
  const body = await request.clone().text();
  if (Buffer.byteLength(body, 'utf16le') > TEAMS_UTF16_BYTES || Buffer.byteLength(body) > TEAMS_UTF16_BYTES)
    return new Response('too large', { status: 413 });
  const read = teamsMessage.safeParse(await jsonOf(request));
  if (!read.success) return new Response(z.prettifyError(read.error), { status: 400 });
  show(read.data);
  return new Response(null, { status: 202 });
}

function jsonOf(request: Request): Promise<unknown> {
  if (request.method !== 'POST' || request.headers.get('content-type')?.split(';')[0] !== 'application/json')
    throw new Error('neither takes anything but JSON that is posted');
  return request.json();
}

/** All texts of a message of Slack, as their reader sees them. @throws where one holds a link, a mention or a special command */
export function readSlack({ text, blocks }: SlackMessage): string[] {
  const texts = blocks.flatMap((block) => ('fields' in block ? block.fields : 'elements' in block ? block.elements : [block.text]));
  const shown = [{ type: 'plain_text', text }, ...texts].filter(({ type }) => type === 'plain_text').map((one) => one.text);
  for (const one of shown) if (/[<>]|&(?!amp;|lt;|gt;)/.test(one)) throw new Error(`Slack would act on ${one}`);
  return shown.map((one) => one.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
}

/** Where the links of a message of Slack lead. */
export const slackLinks = ({ blocks }: SlackMessage): string[] =>
  blocks.flatMap((block) =>
    'text' in block && block.text.type === 'mrkdwn' ? [...block.text.text.matchAll(/<([^|>]*)/g)].map(([, to]) => to ?? '') : [],
  );

/** The lines of a card that read no markup, and where its links lead. */
export function readTeams({ attachments }: TeamsMessage): { lines: string[]; links: string[] } {
  const body = attachments[0]?.content.body ?? [];
  const lines = body.flatMap((part) => (part.type === 'RichTextBlock' ? [part.inlines.map(({ text }) => text).join('')] : []));
  const links = body.flatMap((part) =>
    part.type === 'TextBlock' ? [...part.text.matchAll(/\]\(([^)]*)\)/g)].map(([, to]) => to ?? '') : [],
  );
  return { lines, links };
}
