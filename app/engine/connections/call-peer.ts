import type { GuardedFetch } from '#app/domain/ports.ts';
import { A2aPeers } from '#app/engine/a2a/a2a-client.ts';
import { assertListable } from '#app/engine/connections/assert-listable.ts';
import { type CallPeer, type PeerAddress, PeerError, type PeerInspection } from '#app/engine/connections/peer.ts';
import { type BuiltinPeers, type PeerTarget, targetOf } from '#app/engine/connections/peer-target.ts';
import { McpPeers } from '#app/engine/mcp/mcp-client.ts';

export type PeerDeps = {
  /** Must let the built-in peers' origin through. */
  fetch: GuardedFetch;
  /** Where this process's built-in peers listen. */
  builtin: () => BuiltinPeers;
  /** Our own version, told to peers. */
  version?: string;
};

export type Peers = { call: CallPeer; inspect: (peer: PeerAddress) => Promise<PeerInspection>; close(): Promise<void> };

/** One client of all peers a process: connections, eras and cards are shared by calls and inspections. */
export function createPeers(deps: PeerDeps): Peers {
  const mcp = new McpPeers({ fetch: deps.fetch, version: deps.version ?? '1.0.0' });
  const a2a = new A2aPeers({ fetch: deps.fetch });
  const resolve = (peer: PeerAddress): PeerTarget => {
    const target = targetOf(peer, deps.builtin());
    if (target === null) throw new PeerError({ key: 'peerAddressRefused', values: {}, retryable: false });
    return target;
  };
  return {
    call: async ({ peer, ...call }) => (peer.kind === 'mcp' ? mcp : a2a).call({ ...call, target: resolve(peer) }),
    inspect: async (peer) => {
      const inspection = await (peer.kind === 'mcp' ? mcp : a2a).inspect(resolve(peer));
      assertListable(inspection.capabilities, peer.kind === 'mcp' ? 'MCP' : 'A2A');
      return inspection;
    },
    close: () => mcp.close(),
  };
}
