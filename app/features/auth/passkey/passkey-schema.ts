import { z } from 'zod';
import { proofFields } from '#app/components/form/proof/proof-schema.ts';

const name = z.string().trim().min(1).max(80);

/** The form that asks for another passkey: a name of one's own, and a proof. */
export const addPasskeySchema = z.object({ name, ...proofFields });
/** `passkey`: the sealed challenge with what the browser has made. */
export const registerPasskeySchema = z.object({ name, passkey: z.string().max(24_000).default('') });
export const renamePasskeySchema = z.object({ name });
export const removePasskeySchema = z.object(proofFields);
