import { z } from 'zod';
import { CHANNELS, NOTIFICATION_KINDS, WEBHOOK_FORMATS } from '#app/domain/people/notification-kinds.ts';

/** `wanted` lists the ticked boxes, as `kind.channel`; anything else is not wanted. */
export const notificationPreferencesSchema = z.object({
  form: z.literal('wanted'),
  wanted: z.array(z.string().regex(new RegExp(`^(${NOTIFICATION_KINDS.join('|')})\\.(${CHANNELS.join('|')})$`))).default([]),
});

/** Networks are the guarded fetch's to decide: here only what can be no webhook at all is refused. Empty: no webhook. */
export const webhookSchema = z.object({
  form: z.literal('webhook'),
  address: z
    .string()
    .trim()
    .max(2_000)
    .refine((text) => text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)), { error: 'invalidUrl' })
    .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
      error: 'connection.credentialInAddress',
    })
    .default(''),
  format: z.enum(WEBHOOK_FORMATS).default('json'),
});
