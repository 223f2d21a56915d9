import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { codeSchema } from '#app/features/auth/sign-in/credentials-schema.ts';

const presentPassword = z.string({ error: message('passwordRequired') }).min(1, { error: message('passwordRequired') });

export const factorCodeSchema = z.object({ code: codeSchema });
export const passkeySchema = z.object({ passkey: z.string().max(24_000).default('') });
export const recoveryCodeSchema = z.object({ recoveryCode: z.string().trim().min(1).max(60) });
/** The form of everything that changes how a person signs in. */
export const factorPasswordSchema = z.object({ currentPassword: presentPassword });
/** `state` is sealed by us: the authenticator that is being set up. */
export const factorSetupSchema = z.object({ state: z.string().min(1), code: codeSchema });
