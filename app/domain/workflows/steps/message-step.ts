import { z } from 'zod';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** Roles whose members see every run, so that none gets a link to nothing. */
export const RECIPIENT_ROLES = ['builder', 'approver', 'auditor', 'admin'] as const;
/** Whom a message can go to. */
export const MESSAGE_RECIPIENTS = ['starter', ...RECIPIENT_ROLES] as const;
export const MESSAGE_MAX_CHARACTERS = 4_000;
export const MESSAGE_MAX_MEMBERS = 100;

/** The e-mail addresses in a text, one a line or parted by commas or semicolons. */
export const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '');
export const isAddress = (text: string): boolean => z.email().max(320).safeParse(text).success;

const messageStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('message'),
  to: z.array(z.enum(MESSAGE_RECIPIENTS)).max(MESSAGE_RECIPIENTS.length).default(['starter']),
  /** E-mail addresses of members, one a line or parted by commas, or an expression that gives a list of them. */
  members: z.string().max(20_000).default(''),
  /** Whether those who want mails of messages get one, too. */
  mail: z.boolean().default(true),
  /** A text, or an expression that gives one. */
  text: z.string().max(20_000).default(''),
});
export type MessageStep = z.infer<typeof messageStepSchema>;

/** People get a notification with the step's name; the text stands on the run's page, where they may read it. */
export const messageRules: StepRules<MessageStep> = {
  schema: messageStepSchema,
  create: (base) => ({ ...base, kind: 'message', to: ['starter'], members: '', mail: true, text: '' }),
  mappings: () => ({}),
  check({ to, members, text }, { report, expression }) {
    if (to.length === 0 && members.trim() === '') report('to', 'noRecipient');
    if (isExpression(members)) expression('members', stripMark(members));
    else {
      const addresses = addressesOf(members);
      const [wrong] = addresses.filter((address) => !isAddress(address));
      if (wrong !== undefined) report('members', 'notAnAddress', { address: wrong.slice(0, 120) });
      else if (addresses.length > MESSAGE_MAX_MEMBERS) report('members', 'manyAddresses', { limit: MESSAGE_MAX_MEMBERS });
    }
    if (text.trim() === '') report('text', 'noText');
    else if (isExpression(text)) expression('text', stripMark(text));
  },
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: () => ['text', 'recipients'],
  innerNames: () => [],
};
