import { z } from 'zod';

/** A token, or for an HTTP API the header that it is sent in, as `X-Api-Key: secret`. */
export const CREDENTIAL = /^(?:[A-Za-z0-9-]{1,60}: [\x20-\x7e]+|[\x21-\x7e]*)$/;

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
  /** A bearer token. `token` in its name keeps it from ever being sent back to the browser. */
  token: z
    .string()
    .trim()
    .max(8_000)
    .regex(/^[\x21-\x7e]*$/, 'connection.tokenShape')
    .default(''),
});
