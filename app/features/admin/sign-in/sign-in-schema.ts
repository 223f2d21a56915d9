import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { roleSetSchema } from '#app/domain/people/role-set.ts';

const reason = z.string().trim().max(CONTROL_REASON_MAX).default('');

/** Https, or http to this very machine: what is called is checked again with each call. */
const issuer = z
  .url({ protocol: /^https?$/, error: message('invalidUrl') })
  .max(500)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && (url.protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname));
  }, message('issuerHttps'))
  .refine((text) => !/[?#]/.test(text), message('issuerPlain'));

const claim = (name: string) => z.string().trim().min(1).max(100).default(name);

export const providerSchema = z.object({
  name: z.string().trim().min(1).max(80),
  issuer,
  clientId: z.string().trim().min(1).max(255),
  /** Empty keeps the present one. */
  clientSecret: z.string().max(2000).default(''),
  emailClaim: claim('email'),
  nameClaim: claim('name'),
  groupsClaim: claim('groups'),
  emailsVerified: z.boolean().default(false),
  defaultRoles: roleSetSchema,
});

export const domainSchema = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/, { error: message('domainShape') }),
});

const limit = (least: number, most: number) => z.coerce.number().int().min(least).max(most).optional();

export const sessionRulesFormSchema = z.object({
  /** Empty: as long as any session. */
  hours: limit(1, 720),
  idleMinutes: limit(5, 10_080),
  factor: z.boolean().default(false),
  networks: z.string().max(2_000).default(''),
  reason,
});

export const signInFormSchema = z.object({
  /** Empty: none counts. */
  provider: z.union([z.literal(''), z.uuid()]).default(''),
  enforced: z.boolean().default(false),
  exempt: z.array(z.uuid()).default([]),
  reason,
});
