import { z } from 'zod';
import { addressSchema } from '#app/domain/connections/address-schema.ts';

/** A bearer token. A field with `token` in its name is never sent back to the browser. */
const TOKEN = /^[\x21-\x7e]*$/;
/** A token, or for an HTTP API the header that it is sent in, as `X-Api-Key: secret`. */
const TOKEN_OR_HEADER = /^(?:[A-Za-z0-9-]{1,60}: [\x20-\x7e]+|[\x21-\x7e]*)$/;

export const credentialOf = (shape: 'token' | 'token or header') =>
  z
    .string({ error: 'required' })
    .trim()
    .max(8_000)
    .regex(shape === 'token' ? TOKEN : TOKEN_OR_HEADER, 'connection.tokenShape');

export const connectSchema = z.object({
  name: z.string({ error: 'required' }).trim().min(1).max(120),
  address: addressSchema,
  description: z.string().trim().max(2_000).default(''),
  token: credentialOf('token').default(''),
  /** Our registration at the server's authorization server, where that registers nobody by itself. */
  clientId: z.string().trim().max(2_000).default(''),
  clientSecret: credentialOf('token').default(''),
});
