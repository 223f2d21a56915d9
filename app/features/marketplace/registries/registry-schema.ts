import { z } from 'zod';
import { addressSchema } from '#app/domain/connections/address-schema.ts';

export const registrySchema = z.object({
  name: z.string({ error: 'required' }).trim().min(1).max(120),
  address: addressSchema,
});
