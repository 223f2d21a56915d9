import { LRUCache } from 'lru-cache';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Json } from '#app/contracts/json.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { CapabilityState } from '#app/domain/connections/capability-state.ts';
import { statedPrice } from '#app/domain/connections/model-connection.ts';
import { effectOf } from '#app/domain/connections/tool-findings.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import { isRepeatable } from '#app/domain/workflows/repeatable-call.ts';
import { type CompiledPolicies, compilePolicies } from '#app/engine/policy/compile-policies.ts';
import type { ToolSchemas } from '#app/engine/policy/inputs/check-inputs.ts';
import { toolAction } from '#app/engine/policy/inputs/named-inputs.ts';
import { toPolicySource } from '#app/engine/policy/load-policy-sources.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import type { CapabilityRecord } from '#app/engine/routing/route.ts';
import { indexCapabilities, type RouteIndex } from '#app/engine/routing/skill-match.ts';
import type { RunStore } from '#app/engine/runs/run-store.ts';

export type RunConnection = {
  id: string;
  kind: ConnectionKind;
  name: string;
  slug: string;
  endpoint: string;
  status: string;
  /** Base64 of a sealed credential, opened for the call alone. */
  credential: string | null;
  personalDataAllowed: boolean;
  settings: Json;
  /** Someone paused it: nothing of it is called until it is resumed. */
  paused: boolean;
  /** Someone stated that it honours the idempotency key: a repeated call does nothing twice. */
  idempotent: boolean;
};

/** Policies, connections and capabilities of a workspace at one revision. */
export type RunConfig = {
  revision: number;
  /** Addresses inside that calls of the workspace may reach. */
  privateNetwork: WorkspaceNetwork;
  policies: CompiledPolicies;
  /** The workspace's own, in which policies read the clock. */
  timeZone: string;
  connections: ReadonlyMap<string, RunConnection>;
  capabilities: ReadonlyMap<string, RoutableCapability>;
  index: RouteIndex;
  /** Ids of the capabilities whose calls can be repeated without a second effect. */
  repeatable: ReadonlySet<string>;
  /** Ids of the capabilities whose calls change nothing, as their peers declare. */
  reads: ReadonlySet<string>;
  /** The workspace's own agents by id: whether each is in force. */
  agents: ReadonlyMap<string, boolean>;
};

type RawConfig = {
  revision: number;
  privateNetwork: Json;
  timeZone?: string | null;
  connections: RunConnection[];
  capabilities: {
    id: string;
    connectionId: string;
    kind: 'tool' | 'skill' | 'model';
    name: string;
    title: string;
    description: string;
    inputSchema: Json | null;
    fingerprint: string;
    approvedFingerprint: string | null;
    annotations: Json;
    effect: Json;
  }[];
  policies: { id: string; name: string; version: number | null; document: Json }[];
  agents: { [id: string]: boolean };
};

const KEEP = 200;
const RECORDS_EVERY_MS = 15_000;

/** Keeps what runs depend on in memory, by the workspace's revision; starting a step compares it, so nothing old is ever used. */
export type RunConfigs = {
  get(workspaceId: string, revision: number): Promise<RunConfig>;
  /** How each capability did lately. Returns at once with what is known and asks again in the background. */
  records(workspaceId: string): ReadonlyMap<string, CapabilityRecord>;
};

export function createRunConfigs(store: RunStore, now: () => number): RunConfigs {
  const configs = new LRUCache<string, Promise<RunConfig>>({ max: KEEP });
  const records = new LRUCache<string, { at: number; byId: ReadonlyMap<string, CapabilityRecord> }>({ max: KEEP });

  async function load(workspaceId: string): Promise<RunConfig> {
    return buildRunConfig((await store.readConfig(workspaceId)) as unknown as RawConfig);
  }
  function keep(workspaceId: string, loading: Promise<RunConfig>): Promise<RunConfig> {
    configs.set(workspaceId, loading);
    loading.catch(() => configs.get(workspaceId) === loading && configs.delete(workspaceId));
    return loading;
  }
  return {
    async get(workspaceId, revision) {
      const known = configs.get(workspaceId);
      if (known !== undefined) {
        const config = await known;
        if (config.revision >= revision) return config;
        // someone else may have asked meanwhile
        const newer = configs.get(workspaceId);
        if (newer !== undefined && newer !== known) return newer;
      }
      return keep(workspaceId, load(workspaceId));
    },
    records(workspaceId) {
      const known = records.get(workspaceId);
      if (known === undefined || now() - known.at > RECORDS_EVERY_MS) {
        const entry = { at: now(), byId: known?.byId ?? new Map() };
        records.set(workspaceId, entry);
        store.readRecords(workspaceId).then(
          (rows) => {
            entry.byId = new Map(rows.map((row) => [row.capability_id, { calls: row.calls, errors: row.errors, p95Ms: row.p95_ms }]));
          },
          // routing continues with the known figures; the next query comes soon
          () => undefined,
        );
      }
      return records.get(workspaceId)?.byId ?? new Map();
    },
  };
}

export function buildRunConfig(raw: RawConfig): RunConfig {
  const connections = new Map(raw.connections.map((connection) => [connection.id, connection]));
  const capabilities: RoutableCapability[] = raw.capabilities.flatMap((row) => {
    const connection = connections.get(row.connectionId);
    if (connection === undefined) return [];
    return [
      {
        id: row.id,
        connectionId: row.connectionId,
        kind: row.kind,
        name: row.name,
        title: row.title,
        description: row.description,
        inputSchema: row.inputSchema,
        fingerprint: row.fingerprint,
        state: stateOf(row),
        connection: {
          name: connection.name,
          slug: connection.slug,
          kind: connection.kind,
          status: connection.paused ? 'paused' : connection.status,
        },
        price: statedPrice(connection.settings, row.name),
      },
    ];
  });
  return {
    revision: raw.revision,
    privateNetwork: readWorkspaceNetwork(raw.privateNetwork),
    policies: compilePolicies(
      raw.policies.map((row) => toPolicySource(row)),
      toolSchemasOf(capabilities),
    ),
    timeZone: raw.timeZone ?? 'UTC',
    connections,
    capabilities: new Map(capabilities.map((capability) => [capability.id, capability])),
    index: indexCapabilities(capabilities),
    repeatable: new Set(
      raw.capabilities.flatMap((row) => {
        const connection = connections.get(row.connectionId);
        return connection !== undefined && isRepeatable({ kind: row.kind, hints: row, connection }) ? [row.id] : [];
      }),
    ),
    reads: new Set(raw.capabilities.flatMap((row) => (effectOf(row.kind, row as unknown as Json) === 'reads' ? [row.id] : []))),
    agents: new Map(Object.entries(raw.agents)),
  };
}

/** Of what is not approved too: the engine refuses such calls whatever their input is. */
function toolSchemasOf(capabilities: readonly RoutableCapability[]): ToolSchemas {
  const tools = capabilities.filter(({ kind }) => kind === 'tool');
  return new Map(tools.map(({ connection, name, inputSchema }) => [toolAction(connection.slug, name), inputSchema]));
}

function stateOf(row: { fingerprint: string; approvedFingerprint: string | null }): CapabilityState {
  if (row.approvedFingerprint === null) return 'pending';
  return row.approvedFingerprint === row.fingerprint ? 'approved' : 'changed';
}
