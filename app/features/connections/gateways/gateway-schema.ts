import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';

/** Empty: any number. */
const limit = z.number().int().min(1).max(99_999).optional();

/** Settings of a gateway as they are typed. The characters of its address are for the server to check. */
export const gatewaySchema = z.object({
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2_000).default(''),
  /** Empty: made of the name. */
  address: z.string().trim().max(48).default(''),
  roles: z.array(z.enum(ROLES)).default([]),
  groups: z.array(z.uuid()).max(100).default([]),
  programs: z.array(z.string().max(2_100)).max(100).default([]),
  callsAtOnce: limit,
  callsAMinute: limit,
  callerCallsAMinute: limit,
});

/** `id` is made with the form: sent twice, it makes one gateway. */
export const newGatewaySchema = gatewaySchema.extend({ id: z.uuid() });

export const gatewayToolSchema = z.object({
  name: z.string().trim().min(1).max(64),
  /** Empty: the peer's. */
  description: z.string().trim().max(2_000).default(''),
  /** In the order of the tool's schema. An empty value: callers send the argument. */
  arguments: z.array(z.object({ name: z.string().max(120), value: z.string().max(20_000).default('') })).default([]),
});
