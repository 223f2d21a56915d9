import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Json } from '#app/contracts/json.ts';
import type { CapabilityState } from '#app/domain/connections/capability-state.ts';
import type { ModelPrice } from '#app/domain/connections/model-connection.ts';

export type RoutableCapability = {
  id: string;
  connectionId: string;
  kind: 'tool' | 'skill' | 'model';
  name: string;
  title: string;
  description: string;
  inputSchema: Json | null;
  fingerprint: string;
  state: CapabilityState;
  connection: { name: string; slug: string; kind: ConnectionKind; status: string };
  /** As the connection states it; null: it states none, as tools and remote agents never do. */
  price: ModelPrice | null;
};
