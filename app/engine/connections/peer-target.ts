import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { LocalServers, PeerAddress } from '#app/contracts/peer.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { NOTHING_PRIVATE } from '#app/domain/connections/workspace-network.ts';
import { failureOfResponse } from '#app/engine/connections/peer-failure.ts';

/** The address of the process's own peers, and their token. */
export type BuiltinPeers = { origin: string; token: string };

export const LOCAL_SCHEME = 'stdio:';

/** An address that can be called: built-in names resolved, the credential beside it. With `command` a process is started and spoken to. */
export type PeerTarget = {
  url: URL;
  credential: string | null;
  builtin: boolean;
  /** Addresses inside that the workspace may reach. */
  privateNetwork: WorkspaceNetwork;
  command?: readonly string[];
};

export const BUILTIN_TOOLS_ENDPOINT = 'builtin:tools';
export const BUILTIN_COPILOT_ENDPOINT = 'builtin:compliance-copilot';
/** Path of each built-in peer on the loopback listener. */
export const BUILTIN_PATHS: Readonly<Record<string, string>> = {
  [BUILTIN_TOOLS_ENDPOINT]: '/mcp',
  [BUILTIN_COPILOT_ENDPOINT]: '/a2a/compliance-copilot',
};

/** The process that `stdio:name` stands for. Null: the operator allows none of that name. */
export function localTargetOf(endpoint: string, servers: LocalServers): PeerTarget | null {
  const name = endpoint.slice(LOCAL_SCHEME.length);
  const command = Object.hasOwn(servers, name) ? servers[name] : undefined;
  return command === undefined
    ? null
    : { url: new URL(endpoint), credential: null, builtin: false, privateNetwork: NOTHING_PRIVATE, command };
}

/** Resolves an endpoint. Null: it is no address that could be called. */
export function targetOf(peer: Omit<PeerAddress, 'kind'>, builtin: BuiltinPeers): PeerTarget | null {
  const path = BUILTIN_PATHS[peer.endpoint];
  if (path !== undefined)
    return { url: new URL(path, builtin.origin), credential: builtin.token, builtin: true, privateNetwork: NOTHING_PRIVATE };
  if (!URL.canParse(peer.endpoint)) return null;
  const url = new URL(peer.endpoint);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return { url, credential: peer.credential, builtin: false, privateNetwork: peer.privateNetwork ?? NOTHING_PRIVATE };
}

/**
 * The key by which open connections are kept. Workspaces with other lists share none, as a socket once open is not checked again.
 */
export function targetKey({ url, credential, privateNetwork }: PeerTarget): string {
  return JSON.stringify([url.href, credential, privateNetwork]);
}

/** Guarded fetch within the list of the target's workspace, for clients that bring the credential themselves. */
export function fetchWithin({ privateNetwork }: PeerTarget, guardedFetch: GuardedFetch): GuardedFetch {
  return (input, init) => guardedFetch(input, { ...init, privateNetwork });
}

/**
 * The fetch of one target: carries the credential to the target's own origin and to no other, wherever a peer's document points. Failed
 * answers are reported by `onStatus`. One that asks for fewer calls is thrown as a PeerError: the protocols' libraries drop the
 * header that says for how long.
 */
export function fetchFor(target: PeerTarget, guardedFetch: GuardedFetch, onStatus?: (status: number) => void): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const headers = new Headers(init?.headers);
    if (target.credential !== null && url.origin === target.url.origin) headers.set('authorization', `Bearer ${target.credential}`);
    const response = await guardedFetch(url, { ...init, headers, privateNetwork: target.privateNetwork });
    if (!response.ok) onStatus?.(response.status);
    if (response.status === 429 || (response.status === 503 && response.headers.has('retry-after'))) {
      await response.body?.cancel();
      throw failureOfResponse(response);
    }
    return response;
  };
}
