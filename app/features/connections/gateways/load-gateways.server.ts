import type { RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { type Gateway, listGatewayCallers, listGateways } from '#app/engine/gateways/read-gateways.ts';

type Context = Readonly<RouterContextProvider>;

/** The whole address at which clients reach a gateway of the member's workspace. */
export function gatewayUrl(context: Context, address: string): string {
  const { slug } = context.get(memberContext).member.workspace;
  return `${context.get(servicesContext).origin}/mcp/${slug}/${address}`;
}

/** The gateways of the workspace, by name. */
export async function loadGateways({ context }: { context: Context }) {
  const { member, read } = context.get(memberContext);
  const gateways = await read(listGateways);
  return {
    gateways: gateways.map((gateway) => ({ ...gateway, url: gatewayUrl(context, gateway.address) })),
    mayKeep: can(member.roles, 'keepGateway'),
  };
}
export type LoadedGateways = Awaited<ReturnType<typeof loadGateways>>;

/** The form of a new one. `before`: what an address begins with. */
export async function loadNewGateway({ context }: { context: Context }) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'keepGateway');
  const callers = await read((db) => callerOptions(db, { groups: [], programs: [] }));
  return { id: context.get(servicesContext).newId(), before: gatewayUrl(context, ''), callers };
}

/** A group, key or client to choose; without a name one that is chosen already, and gone. */
export type CallerOption = { kind: 'group' | 'key' | 'client'; value: string; name: string | null; owner: string | null };

/** All there are, and those that are chosen: whatever is gone stays until somebody unticks it, since an empty choice lets everyone in. */
export async function callerOptions(db: Db, chosen: Pick<Gateway, 'groups' | 'programs'>): Promise<CallerOption[]> {
  const known = await listGatewayCallers(db);
  const values = new Set(known.map(({ value }) => value));
  const gone = (kind: CallerOption['kind'], of: readonly string[]) =>
    of.filter((value) => !values.has(value)).map((value): CallerOption => ({ kind, value, name: null, owner: null }));
  return [...known, ...gone('group', chosen.groups), ...gone('key', chosen.programs)];
}
