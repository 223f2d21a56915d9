import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';

/** A set of roles: at least one, none twice. */
export const roleSetSchema = z
  .array(z.enum(ROLES))
  .min(1)
  .transform((roles) => ROLES.filter((role) => roles.includes(role)));
