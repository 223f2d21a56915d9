import { z } from 'zod';
import { MODEL_PROVIDERS } from '#app/contracts/models.ts';
import { APP_PARTNERS } from '#app/domain/connections/app-partners.ts';
import { connectSchema, credentialOf } from '#app/features/connections/connect/connect-schema.ts';

/** A service is named beside its address, since the address alone does not tell which interface it speaks. */
export const connectServiceSchemas = {
  // Empty: the provider's own service.
  model: connectSchema.extend({
    service: z.enum(MODEL_PROVIDERS),
    address: z.union([z.literal(''), connectSchema.shape.address]).default(''),
  }),
  app: connectSchema.extend({
    service: z.enum(APP_PARTNERS),
    token: credentialOf('token or header').default(''),
  }),
} as const;
