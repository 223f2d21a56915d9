import { z } from 'zod';
import { credentialOf } from '#app/features/connections/connect/connect-schema.ts';

export const rotateSchema = z.object({
  token: credentialOf('token or header').min(1),
});
