import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Json } from '#app/contracts/json.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';

/**
 * The address of a peer and its protocol. `credential` is a token or key, already opened; never logged. `settings` are the connection's;
 * `privateNetwork` is its workspace's list, without which no private address is reached.
 */
export type PeerAddress = {
  kind: ConnectionKind;
  endpoint: string;
  credential: string | null;
  settings?: Json;
  privateNetwork?: WorkspaceNetwork;
};

/** One tool or skill as the peer describes it; `definition` is what the fingerprint covers. */
export type PeerCapability = {
  kind: 'tool' | 'skill' | 'model';
  name: string;
  title: string;
  description: string;
  inputSchema: Json | null;
  outputSchema: Json | null;
  definition: { [key: string]: Json };
  fingerprint: string;
};

export type PeerInspection = { name: string; version: string; protocolVersion: string; capabilities: PeerCapability[] };

/**
 * MCP servers that the operator lets run as processes of this machine: names, each with its exact command. An endpoint `stdio:name` stands
 * for one, so that no row of the database and no member ever says what is started.
 */
export type LocalServers = Readonly<Record<string, readonly string[]>>;
