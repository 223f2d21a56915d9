import type { GuardedFetch, ModelPort } from '#app/domain/ports.ts';
import { A2aPeers } from '#app/engine/a2a/a2a-client.ts';
import { AppPeers } from '#app/engine/connections/apps/app-peers.ts';
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
import { McpPeers } from '#app/engine/mcp/mcp-client.ts';
import { ModelPeers } from '#app/engine/models/model-peers.ts';

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
};

export type Peers = { call: CallPeer; inspect: (peer: PeerAddress) => Promise<PeerInspection>; close(): Promise<void> };

const PROTOCOL_NAMES = { mcp: 'MCP', a2a: 'A2A', model: 'HTTP', app: 'HTTP' } as const;

/** One client of all peers a process: connections, eras and cards are shared by calls and inspections. */
export function createPeers(deps: PeerDeps): Peers {
  const fetch = recordingFetch(deps.fetch);
  const mcp = new McpPeers({ fetch, version: deps.version ?? '1.0.0' });
  const speakers = {
    mcp,
    a2a: new A2aPeers({ fetch }),
    model: new ModelPeers({ fetch, models: deps.models ?? null }),
    app: new AppPeers({ fetch }),
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
    call: async ({ peer, frames, ...call }) =>
      keepFrames(frames, peer.credential, () =>
        speakers[peer.kind].call({ ...call, target: resolve(peer), settings: peer.settings ?? null }),
      ),
    inspect: async (peer) => {
      const inspection = await speakers[peer.kind].inspect(resolve(peer), peer.settings ?? null);
      assertListable(inspection.capabilities, PROTOCOL_NAMES[peer.kind]);
      return inspection;
    },
    close: () => mcp.close(),
  };
}
