import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { MOST_WITNESSES } from '#app/domain/proof/proof-settings.ts';

export const proofSchema = z.object({
  tiles: z.boolean().default(false),
  /** One witness a line: its verifier key, a space, its address. */
  witnesses: z.string().max(12_000).default(''),
  quorum: z.number().int().min(0).max(MOST_WITNESSES).default(0),
  /** Empty: no time stamps. */
  authority: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)], { error: message('invalidUrl') }).default(''),
  policy: z
    .string()
    .trim()
    .regex(/^(?:|[0-2](?:\.\d{1,9}){1,20})$/, { error: message('policyOid') })
    .default(''),
  ca: z.string().max(20_000).default(''),
  reason: z.string().trim().max(CONTROL_REASON_MAX).default(''),
});
