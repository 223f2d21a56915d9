import { z } from 'zod';
import { PasskeyError } from '#app/contracts/clients/passkeys.ts';

/** An answer as `PublicKeyCredential.toJSON()` writes it (WebAuthn, 5.1.4), within what authenticators send. */
const MOST_LETTERS = 16_384;
const bytes = z
  .string()
  .regex(/^[\w-]+$/)
  .max(12_000);
const credentialId = z
  .string()
  .regex(/^[\w-]+$/)
  .max(1364);

const common = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };
// What else there is, a library may not see: extensions are not asked for.
export const registrationSchema = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
});
export const assertionSchema = z.object({
  ...common,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes.max(88).nullish() }),
});

/** @throws PasskeyError for what is too long, no JSON or another shape */
export function readAnswer<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  if (text.length > MOST_LETTERS) throw new PasskeyError('too long');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new PasskeyError(error);
  }
  const read = schema.safeParse(json);
  if (!read.success) throw new PasskeyError(read.error);
  return read.data;
}
