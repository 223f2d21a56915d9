import { z } from 'zod';

/** The address of a peer as one types it. Schemes and networks are the guarded fetch's to decide: here only what can be no address at all is refused. */
export const addressSchema = z
  .string({ error: 'required' })
  .trim()
  .min(1)
  .max(2_000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { error: 'invalidUrl' })
  .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
    error: 'connection.credentialInAddress',
  });
