import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';

/** The least that is accepted; the hint recommends 12. */
export const MIN_PASSWORD_LENGTH = 6;
/** The longest password that the hash takes; both backends refuse more. */
const MAX_PASSWORD_BYTES = 72;
/** RFC 5321, section 4.5.3.1. */
const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 80;

export const emailSchema = z.email().max(MAX_EMAIL_LENGTH);

/** A password that is being chosen. Nothing is trimmed, and any character will do. */
export const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH)
  .refine((password) => new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES, { error: message('passwordTooLong') });

/** A password that is being checked: whether it is right is not for the schema to say. */
const presentPasswordSchema = z.string({ error: message('passwordRequired') }).min(1, { error: message('passwordRequired') });

export const signInSchema = z.object({ email: emailSchema, password: presentPasswordSchema });

export const signUpSchema = z.object({
  name: z.string().trim().max(MAX_NAME_LENGTH).optional(),
  email: emailSchema,
  password: newPasswordSchema,
});

/** A form of one button. */
export const noFieldsSchema = z.object({});

export const emailFormSchema = z.object({ email: emailSchema });

export const codeSchema = z
  .string()
  .transform((code) => code.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, { error: message('codeShape') }));

export const codeFormSchema = z.object({ email: emailSchema, code: codeSchema });

export const choosePasswordSchema = z.object({ password: newPasswordSchema });
export const choosePasswordWithCodeSchema = z.object({ email: emailSchema, code: codeSchema, password: newPasswordSchema });
