import { z } from 'zod';
import { ROLES } from '#app/contracts/people.ts';

/** Where a gateway is reached, behind `/mcp/<workspace>/`. */
export const GATEWAY_ADDRESS = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;
/** A tool's name as MCP takes it. */
export const GATEWAY_TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

const pace = z.number().int().min(1).max(99_999).nullable();
/** An API key or a client that people have let in, as `Gateway` names it. */
export const GATEWAY_PROGRAM = /^(?:key:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|client:.{1,2000})$/s;

/**
 * The choices of people about a gateway. `roles` and `groups` empty: for everyone who may start runs; `programs` empty: for any program of theirs.
 * A group, key or client that is gone, or of another workspace, lets nobody in.
 */
export const gatewaySettings = z.object({
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2_000),
  address: z.string().regex(GATEWAY_ADDRESS),
  roles: z.array(z.enum(ROLES)),
  callsAtOnce: pace,
  groups: z.array(z.uuid()).max(100),
  programs: z.array(z.string().regex(GATEWAY_PROGRAM)).max(100),
  callsAMinute: pace,
  callerCallsAMinute: pace,
});

/** The columns of `quorate.gateways` for these settings. */
export function gatewayColumns({
  address,
  roles,
  groups,
  programs,
  callsAMinute,
  callerCallsAMinute,
}: Omit<z.output<typeof gatewaySettings>, 'name' | 'description' | 'callsAtOnce'>) {
  const named = (kind: string) => programs.filter((program) => program.startsWith(kind)).map((program) => program.slice(kind.length));
  return {
    address,
    roles,
    groups,
    keys: named('key:'),
    clients: named('client:'),
    calls_a_minute: callsAMinute,
    caller_calls_a_minute: callerCallsAMinute,
  };
}

/** Each address of a workspace once. */
export const ADDRESS_TAKEN = { 23505: { code: 'conflict', field: 'address', reasons: [{ key: 'gatewayAddressTaken' }] } } as const;
