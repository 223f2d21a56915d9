import { z } from 'zod';
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
