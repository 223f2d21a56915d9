import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { listGateways } from '#app/engine/gateways/read-gateways.ts';

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
export function loadNewGateway({ context }: { context: Context }) {
  assertPermission(context.get(memberContext).member.roles, 'keepGateway');
  return { id: context.get(servicesContext).newId(), before: gatewayUrl(context, '') };
}
