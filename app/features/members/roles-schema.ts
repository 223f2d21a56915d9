import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { roleSetSchema } from '#app/domain/people/role-set.ts';

const MAX_EMAIL_LENGTH = 254;

/** For whoever agrees to roles of control. */
const reason = z.string().trim().max(CONTROL_REASON_MAX).default('');

export const changeRolesSchema = z.object({ roles: roleSetSchema, reason });

export const removeMemberSchema = z.object({ reason });

/** `until`: the last day of the membership as the calendar in `zone` has it; none for one without an end. */
export const inviteSchema = z.object({
  email: z.email().max(MAX_EMAIL_LENGTH),
  roles: roleSetSchema,
  until: z.iso.date().optional(),
  zone: z.string().max(64).default('UTC'),
});

export const withdrawSchema = z.object({ invitation: z.uuid() });
