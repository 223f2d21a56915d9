import { z } from 'zod';
import { roleSetSchema } from '#app/domain/people/role-set.ts';

const MAX_EMAIL_LENGTH = 254;

export const changeRolesSchema = z.object({ roles: roleSetSchema });

export const inviteSchema = z.object({ email: z.email().max(MAX_EMAIL_LENGTH), roles: roleSetSchema });

export const withdrawSchema = z.object({ invitation: z.uuid() });

export const roleRequestSchema = z.object({ request: z.uuid(), outcome: z.enum(['granted', 'refused', 'withdrawn']) });

/** A form of one button. */
export const noFieldsSchema = z.object({});
