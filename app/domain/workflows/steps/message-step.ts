import { z } from 'zod';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** Roles whose members see every run, so that none gets a link to nothing. */
export const RECIPIENT_ROLES = ['builder', 'approver', 'auditor', 'admin'] as const;
/** Whom a message can go to. */
export const MESSAGE_RECIPIENTS = ['starter', ...RECIPIENT_ROLES] as const;
export const MESSAGE_MAX_CHARACTERS = 4_000;

const messageStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('message'),
  to: z.array(z.enum(MESSAGE_RECIPIENTS)).max(MESSAGE_RECIPIENTS.length).default(['starter']),
  /** A text, or an expression that gives one. */
  text: z.string().max(20_000).default(''),
});
export type MessageStep = z.infer<typeof messageStepSchema>;

/** People get a notification with the step's name; the text stands on the run's page, where they may read it. */
export const messageRules: StepRules<MessageStep> = {
  schema: messageStepSchema,
  create: (base) => ({ ...base, kind: 'message', to: ['starter'], text: '' }),
  mappings: () => ({}),
  check({ to, text }, { report, expression }) {
    if (to.length === 0) report('to', 'noRecipient');
    if (text.trim() === '') report('text', 'noText');
    else if (isExpression(text)) expression('text', stripMark(text));
  },
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: () => ['text', 'recipients'],
  innerNames: () => [],
};
