import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';

const MAX_NAME_LENGTH = 80;
/** Days that a token can live; the first is the usual one. */
export const TOKEN_DAYS = [365, 180, 90] as const;

export const newTokenSchema = z.object({
  /** Made with the form: sent twice it makes one token. */
  id: z.uuid(),
  /** The token that this one replaces; empty: none. */
  replaces: z.uuid().optional(),
  name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
  days: z.coerce
    .number()
    .int()
    .refine((days) => TOKEN_DAYS.some((known) => known === days), { error: message('chooseOne') }),
});

export const confirmTokenSchema = z.object({ confirm: z.uuid() });
export const noFieldsSchema = z.object({});
