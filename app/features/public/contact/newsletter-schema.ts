import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';

/** Longest address of RFC 5321 (section 4.5.3.1.3), without the angle brackets. */
export const EMAIL_MAX = 254;

export const newsletterSchema = z.object({
  email: z
    .string()
    .trim()
    .max(EMAIL_MAX)
    .pipe(z.email(message('invalidEmail'))),
  /** A field that people do not see: only robots fill it in (honeypot). */
  website: z.string().max(200).optional(),
  /** Sent by scripts alone, which show the answer in place. */
  inPlace: z.literal('yes').optional(),
});
