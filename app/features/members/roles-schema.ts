import { z } from 'zod';
import { ROLES } from '#app/domain/roles.ts';

const MAX_EMAIL_LENGTH = 254;

/** How long an invitation can be answered. */
export const INVITATION_DAYS = 7;

/** A set of roles: at least one, none twice. */
export const rolesSchema = z
  .array(z.enum(ROLES))
  .min(1)
  .transform((roles) => ROLES.filter((role) => roles.includes(role)));

export const changeRolesSchema = z.object({ roles: rolesSchema });

export const inviteSchema = z.object({ email: z.email().max(MAX_EMAIL_LENGTH), roles: rolesSchema });

export const withdrawSchema = z.object({ invitation: z.uuid() });

export const roleRequestSchema = z.object({ request: z.uuid(), outcome: z.enum(['granted', 'refused', 'withdrawn']) });

/** A form of one button. */
export const noFieldsSchema = z.object({});
