import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';

/** As the database holds it. */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

export const tenantSchema = z.object({
  name: z.string({ error: 'required' }).trim().min(1).max(120),
  slug: z
    .string({ error: 'required' })
    .trim()
    .toLowerCase()
    .regex(SLUG, { error: message('workspaceSlug') }),
  checkpointMail: z.boolean().default(false),
  /** Empty: nobody is called. */
  checkpointWebhook: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)], { error: message('invalidUrl') }).default(''),
});
