import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { LocalServers, PeerAddress, PeerInspection } from '#app/contracts/peer.ts';
import type { GuardedFetch, ModelPort } from '#app/contracts/ports.ts';
import { assertListable } from '#app/engine/connections/assert-listable.ts';
import { KINDS_OF_CONNECTION, type PeerClient } from '#app/engine/connections/connection-kinds.ts';
import { keepFrames, recordingFetch } from '#app/engine/connections/frames.ts';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { type BuiltinPeers, LOCAL_SCHEME, localTargetOf, type PeerTarget, targetOf } from '#app/engine/connections/peer-target.ts';

export type PeerDeps = {
  /** Must let the built-in peers' origin through. */
  fetch: GuardedFetch;
  /** The address of this process's built-in peers. */
  builtin: () => BuiltinPeers;
  /** Without it no model can be called. */
  models?: ModelPort;
  /** Programs that may run on this machine; without it none may. */
  localServers?: LocalServers;
  /** Our own version, which peers are told. */
  version?: string;
  /** Called with the address of an MCP server that says that its list has changed. */
  onToolsChanged?: (endpoint: string) => void;
};

export type Peers = { call: CallPeer; inspect: (peer: PeerAddress) => Promise<PeerInspection>; close(): Promise<void> };

/** One client of all peers a process: connections, eras and cards are shared by calls and inspections. */
export function createPeers(deps: PeerDeps): Peers {
  const fetch = recordingFetch(deps.fetch);
  // Each with its first call.
  const clients = new Map<ConnectionKind, Promise<PeerClient>>();
  const clientOf = (kind: ConnectionKind): Promise<PeerClient> => {
    const known = clients.get(kind);
    if (known !== undefined) return known;
    const { models = null, version = '1.0.0', onToolsChanged } = deps;
    const opened = KINDS_OF_CONNECTION[kind].open({ fetch, models, version, onToolsChanged });
    clients.set(kind, opened);
    return opened;
  };
  const resolve = (peer: PeerAddress): PeerTarget => {
    if (peer.endpoint.startsWith(LOCAL_SCHEME)) {
      const local = KINDS_OF_CONNECTION[peer.kind].local ? localTargetOf(peer.endpoint, deps.localServers ?? {}) : null;
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
      const client = await clientOf(peer.kind);
      return keepFrames(frames, peer.credential, () => client.call({ ...call, target, settings: peer.settings ?? null }));
    },
    async inspect(peer) {
      const target = resolve(peer);
      const client = await clientOf(peer.kind);
      const inspection = await client.inspect(target, peer.settings ?? null);
      assertListable(inspection.capabilities, KINDS_OF_CONNECTION[peer.kind].protocol);
      return inspection;
    },
    async close() {
      await Promise.all([...clients.values()].map(async (opened) => (await opened).close?.()));
    },
  };
}
