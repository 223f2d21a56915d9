import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';

/** Where a gateway is reached, behind `/mcp/<workspace>/`. */
export const GATEWAY_ADDRESS = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;
/** A tool's name as MCP takes it. */
export const GATEWAY_TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** What people choose of a gateway. `roles` empty: for everyone who may start runs. */
export const gatewaySettings = z.object({
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2_000),
  address: z.string().regex(GATEWAY_ADDRESS),
  roles: z.array(z.enum(ROLES)),
  callsAtOnce: z.number().int().min(1).max(99_999).nullable(),
});

/** Each address of a workspace once. */
export const ADDRESS_TAKEN = { 23505: { code: 'conflict', field: 'address', reasons: [{ key: 'gatewayAddressTaken' }] } } as const;
