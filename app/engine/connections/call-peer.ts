import type { GuardedFetch, ModelPort } from '#app/domain/ports.ts';
import { assertListable } from '#app/engine/connections/assert-listable.ts';
import { keepFrames, recordingFetch } from '#app/engine/connections/frames.ts';
import { type CallPeer, type PeerAddress, PeerError, type PeerInspection } from '#app/engine/connections/peer.ts';
import {
  type BuiltinPeers,
  LOCAL_SCHEME,
  type LocalServers,
  localTargetOf,
  type PeerTarget,
  targetOf,
} from '#app/engine/connections/peer-target.ts';

export type PeerDeps = {
  /** Must let the built-in peers' origin through. */
  fetch: GuardedFetch;
  /** Where this process's built-in peers listen. */
  builtin: () => BuiltinPeers;
  /** Without it no model can be called. */
  models?: ModelPort;
  /** What may run on this machine; without it nothing may. */
  localServers?: LocalServers;
  /** Our own version, told to peers. */
  version?: string;
  /** Told of the address of an MCP server that says that its list has changed. */
  onToolsChanged?: (endpoint: string) => void;
};

export type Peers = { call: CallPeer; inspect: (peer: PeerAddress) => Promise<PeerInspection>; close(): Promise<void> };

const PROTOCOL_NAMES = { mcp: 'MCP', a2a: 'A2A', model: 'HTTP', app: 'HTTP' } as const;

/** One client of all peers a process: connections, eras and cards are shared by calls and inspections. */
export function createPeers(deps: PeerDeps): Peers {
  const fetch = recordingFetch(deps.fetch);
  // Each with its first call: the protocols' libraries would cost every start 300 ms of processor time and 15 MB.
  const speakers = {
    mcp: once(
      async () =>
        new (await import('#app/engine/mcp/mcp-client.ts')).McpPeers({
          fetch,
          version: deps.version ?? '1.0.0',
          onToolsChanged: deps.onToolsChanged,
        }),
    ),
    a2a: once(async () => new (await import('#app/engine/a2a/a2a-client.ts')).A2aPeers({ fetch })),
    model: once(async () => new (await import('#app/engine/models/model-peers.ts')).ModelPeers({ fetch, models: deps.models ?? null })),
    app: once(async () => new (await import('#app/engine/connections/apps/app-peers.ts')).AppPeers({ fetch })),
  };
  const resolve = (peer: PeerAddress): PeerTarget => {
    if (peer.endpoint.startsWith(LOCAL_SCHEME)) {
      const local = peer.kind === 'mcp' ? localTargetOf(peer.endpoint, deps.localServers ?? {}) : null;
      const name = peer.endpoint.slice(LOCAL_SCHEME.length);
      if (local === null) throw new PeerError({ key: 'peerLocalRefused', values: { name }, retryable: false });
      return local;
    }
    const target = targetOf(peer, deps.builtin());
    if (target === null) throw new PeerError({ key: 'peerAddressRefused', values: {}, retryable: false });
    return target;
  };
  return {
    async call({ peer, frames, ...call }) {
      const target = resolve(peer);
      const speaker = await speakers[peer.kind].get();
      return keepFrames(frames, peer.credential, () => speaker.call({ ...call, target, settings: peer.settings ?? null }));
    },
    async inspect(peer) {
      const target = resolve(peer);
      const speaker = await speakers[peer.kind].get();
      const inspection = await speaker.inspect(target, peer.settings ?? null);
      assertListable(inspection.capabilities, PROTOCOL_NAMES[peer.kind]);
      return inspection;
    },
    close: async () => (await speakers.mcp.made())?.close(),
  };
}

function once<T>(make: () => Promise<T>): { get(): Promise<T>; made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  return {
    get() {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}
