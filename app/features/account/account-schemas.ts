import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { API_KEY_SCOPES } from '#app/domain/api-key-scopes.ts';
import { LANGUAGES } from '#app/domain/languages.ts';

const MAX_NAME_LENGTH = 80;

export const nameSchema = z.object({ name: z.string().trim().min(1).max(MAX_NAME_LENGTH) });

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
});

/** A form of one button. */
export const noFieldsSchema = z.object({});
