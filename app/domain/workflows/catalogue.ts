import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Json } from '#app/contracts/json.ts';

/**
 * The protocol of a connection, which is its kind; `http`: an app that is any HTTP API; `agent` and `workflow`: no connection, but what the
 * workspace has written itself.
 */
export type CatalogueProtocol = ConnectionKind | 'http' | 'agent' | 'workflow';

export type CatalogueEntry = {
  connection: string;
  protocol: CatalogueProtocol;
  capability: string;
  approved: boolean;
  /** JSON Schema of what the capability takes; null where its peer gave none. */
  inputSchema: Json | null;
};

/** The connections and capabilities that a workflow of the workspace may name. */
export type Catalogue = { connections: readonly { slug: string; protocol: CatalogueProtocol }[]; capabilities: readonly CatalogueEntry[] };
