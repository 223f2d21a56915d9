import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';

/** As stored in the database. */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

export const tenantSchema = z.object({
  name: z.string({ error: 'required' }).trim().min(1).max(120),
  slug: z
    .string({ error: 'required' })
    .trim()
    .toLowerCase()
    .regex(SLUG, { error: message('workspaceSlug') }),
  timeZone: z.string().max(64).refine(isTimeZone, 'invalid'),
  /** Calls a minute; the instance may allow less than anyone asks for. */
  keyPace: z.number().int().min(1).max(999_999),
  hookPace: z.number().int().min(1).max(999_999),
  /** Empty: any number. */
  runsAtOnce: z.number().int().min(1).max(99_999).optional(),
  queuedRuns: z.number().int().min(1).max(9_999_999),
});

/** Asked for where another person agrees. */
const reason = z.string().trim().max(CONTROL_REASON_MAX).default('');

export const tenantNetworkSchema = z.object({
  /** Hosts and networks inside, one a line. Checked against the instance's list by the server. */
  privateNetwork: z.string().max(2000).default(''),
  reason,
});

export const tenantCheckpointsSchema = z.object({
  checkpointMail: z.boolean().default(false),
  /** Empty: nobody is named. */
  checkpointWebhook: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)], { error: message('invalidUrl') }).default(''),
  reason,
});
