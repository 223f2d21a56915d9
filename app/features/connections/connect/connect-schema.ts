import { z } from 'zod';

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

/** Schemes and networks are the guarded fetch's to decide: here only what can be no address at all is refused. */
export const connectSchema = z.object({
  name: z.string({ error: 'required' }).trim().min(1).max(120),
  address: z
    .string({ error: 'required' })
    .trim()
    .min(1)
    .max(2_000)
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { error: 'invalidUrl' })
    .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
      error: 'connection.credentialInAddress',
    }),
  description: z.string().trim().max(2_000).default(''),
  token: credentialOf('token').default(''),
});
