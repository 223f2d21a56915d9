import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { CONTACT_TOPICS } from '#app/features/public/contact/contact-values.ts';
import { EMAIL_MAX } from '#app/features/public/contact/newsletter-schema.ts';

const line = (max: number) => z.string().trim().max(max);

export const contactSchema = z.object({
  topic: z.enum(CONTACT_TOPICS),
  name: line(120).min(1),
  email: line(EMAIL_MAX).pipe(z.email(message('invalidEmail'))),
  company: line(160).optional(),
  message: z.string().trim().min(1).max(4_000),
  /** A field that people do not see: only robots fill it in (honeypot). */
  website: z.string().max(200).optional(),
});
