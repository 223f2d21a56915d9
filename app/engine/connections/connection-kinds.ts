import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Json } from '#app/contracts/json.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import type { GuardedFetch, ModelPort } from '#app/contracts/ports.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import type { PeerTarget } from '#app/engine/connections/peer-target.ts';

/** Speaks to all peers of one kind for this process. */
export type PeerClient = {
  call(call: Omit<Parameters<CallPeer>[0], 'peer' | 'frames'> & { target: PeerTarget; settings: Json }): ReturnType<CallPeer>;
  inspect(target: PeerTarget, settings: Json): Promise<PeerInspection>;
  close?(): Promise<void>;
};

/** Dependencies of a client. `version`: our own, told to peers. */
export type ClientDeps = {
  fetch: GuardedFetch;
  models: ModelPort | null;
  version: string;
  onToolsChanged: ((endpoint: string) => void) | undefined;
};

type KindOfConnection = {
  /** The protocol as failures name it. */
  protocol: 'MCP' | 'A2A' | 'HTTP';
  /** The number of the plan that a connection of this kind counts against. */
  quota: 'agents' | null;
  /** Whether a peer of this kind may be a process of this machine. */
  local: boolean;
  /** Loads the kind's library, too: with each start it would cost 300 ms of processor time and 15 MB. */
  open(deps: ClientDeps): Promise<PeerClient>;
};

/** The engine's table of the kinds of connection: one line a kind, each client in a folder of its own. */
export const KINDS_OF_CONNECTION: { readonly [Kind in ConnectionKind]: KindOfConnection } = {
  mcp: {
    protocol: 'MCP',
    quota: null,
    local: true,
    open: async (deps) => new (await import('#app/engine/mcp/mcp-client.ts')).McpPeers(deps),
  },
  a2a: {
    protocol: 'A2A',
    quota: 'agents',
    local: false,
    open: async (deps) => new (await import('#app/engine/a2a/a2a-client.ts')).A2aPeers(deps),
  },
  model: {
    protocol: 'HTTP',
    quota: null,
    local: false,
    open: async (deps) => new (await import('#app/engine/models/model-peers.ts')).ModelPeers(deps),
  },
  app: {
    protocol: 'HTTP',
    quota: null,
    local: false,
    open: async (deps) => new (await import('#app/engine/connections/apps/app-peers.ts')).AppPeers(deps),
  },
};
