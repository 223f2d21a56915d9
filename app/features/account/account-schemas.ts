import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { proofFields } from '#app/components/form/proof/proof-schema.ts';
import { API_KEY_SCOPES } from '#app/contracts/people.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';

const MAX_NAME_LENGTH = 80;
/** The least that is accepted; the hint recommends more. */
export const MIN_PASSWORD_LENGTH = 6;
/** The longest password that the hash takes. */
const MAX_PASSWORD_BYTES = 72;

export const nameSchema = z.object({ name: z.string().trim().min(1).max(MAX_NAME_LENGTH) });

/** Format and size are checked on the bytes of the picture (domain/people/picture.ts). */
export const pictureSchema = z.object({ picture: z.instanceof(File).optional() });

export const newWorkspaceSchema = z.object({
  name: z
    .string({ error: message('required') })
    .trim()
    .min(1)
    .max(120),
});

export const switchWorkspaceSchema = z.object({ workspaceId: z.uuid(), next: z.string().optional() });

/** Empty: the zone that the browser reports. */
export const preferencesSchema = z.object({ language: z.enum(LANGUAGES), timeZone: z.string().max(64).optional() });

export const sessionsSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('end'), session: z.uuid() }),
  z.object({ intent: z.literal('others') }),
  z.object({ intent: z.literal('everywhere') }),
]);

/** Days that a key can live; the first is the usual one. */
export const API_KEY_DAYS = [90, 30, 180, 365] as const;

export const newApiKeySchema = z.object({
  /** Made with the form: sent twice it makes one key. */
  id: z.uuid(),
  name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
  scopes: z
    .array(z.enum(API_KEY_SCOPES))
    .min(1)
    .transform((scopes) => API_KEY_SCOPES.filter((scope) => scopes.includes(scope))),
  days: z.coerce
    .number()
    .int()
    .refine((days) => API_KEY_DAYS.some((known) => known === days), { error: message('chooseOne') }),
  /** As it was typed: what it names is for the server to say. */
  networks: z.string().max(1000).default(''),
});

/** The password that one has: whether it is right is not for the schema to say. */
const presentPassword = z.string({ error: message('passwordRequired') }).min(1, { error: message('passwordRequired') });

export const changePasswordSchema = z.object({
  form: z.literal('password'),
  currentPassword: presentPassword,
  newPassword: z
    .string()
    .min(MIN_PASSWORD_LENGTH)
    .refine((password) => new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES, { error: message('passwordTooLong') }),
});

export const changeEmailSchema = z.object({ form: z.literal('email'), email: z.email().max(254), currentPassword: presentPassword });

/** `key` names the provider (`ownIdentities`). */
export const removeIdentitySchema = z.object({ key: z.string().regex(/^[0-9a-f]{64}$/), ...proofFields });

/** `confirmation` is one's own e-mail address, typed. */
export const deleteAccountSchema = z.object({ confirmation: z.string().trim().min(1), currentPassword: presentPassword });

/** A form of one button. */
export const noFieldsSchema = z.object({});
