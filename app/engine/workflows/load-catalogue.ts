import { sql } from 'kysely';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { appSettingsSchema } from '#app/domain/connections/app-partners.ts';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { effectOf, type ToolEffect } from '#app/domain/connections/tool-findings.ts';
import { AGENT_INPUT_SCHEMA, AGENT_OUTPUT_SCHEMA } from '#app/domain/workflows/agent.ts';
import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import type { Catalogue, CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { isRepeatable } from '#app/domain/workflows/repeatable-call.ts';

export type CatalogueItem = {
  id: string;
  connection: string;
  connectionName: string;
  protocol: Exclude<CatalogueProtocol, 'agent'>;
  capability: string;
  title: string;
  description: string;
  approved: boolean;
  inputSchema: Json | null;
  outputSchema: Json | null;
  fingerprint: string;
  /** Repeating a call does nothing twice. */
  repeatable: boolean;
  /** The effect of a call, as the peer states it. */
  effect: ToolEffect;
};

/** All capabilities of the connections: every tool, skill and model that still exists, approved or not. */
export async function loadCatalogueItems(db: Db): Promise<CatalogueItem[]> {
  const rows = await db
    .selectFrom('quorate.capabilities as c')
    .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
    .where('n.deleted_at', 'is', null)
    .where('c.removed_at', 'is', null)
    .select([
      'c.id',
      'n.slug',
      'n.name as connection_name',
      'n.kind',
      'n.settings',
      'n.endpoint',
      'n.idempotent',
      'c.kind as capability_kind',
      sql<Json>`c.definition -> 'annotations'`.as('annotations'),
      sql<Json>`c.definition -> 'effect'`.as('effect'),
      'c.name',
      'c.title',
      'c.description',
      'c.input_schema',
      'c.output_schema',
      'c.fingerprint',
      'c.approved_fingerprint',
      'c.removed_at',
    ])
    .orderBy('n.name')
    .orderBy('c.name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    connection: row.slug,
    connectionName: row.connection_name,
    protocol: protocolOf(row),
    capability: row.name,
    title: row.title === '' ? row.name : row.title,
    description: row.description,
    approved: capabilityState(row) === 'approved',
    inputSchema: row.input_schema,
    outputSchema: row.output_schema,
    fingerprint: row.fingerprint,
    repeatable: isRepeatable({ kind: row.capability_kind, hints: row, connection: row }),
    effect: effectOf(row.capability_kind, { annotations: row.annotations, effect: row.effect }),
  }));
}

function protocolOf({ kind, settings }: { kind: ConnectionKind; settings: Json }): CatalogueItem['protocol'] {
  return kind === 'app' && appSettingsSchema.safeParse(settings).data?.partner === 'http' ? 'http' : kind;
}

/** The same, where it may also be an agent of the workspace. */
export type StepTarget = Omit<CatalogueItem, 'protocol'> & { protocol: CatalogueProtocol };

/** Everything the workspace's workflows may name: capabilities of connections, and its own agents with an active version. */
export async function loadStepTargets(db: Db): Promise<StepTarget[]> {
  const [items, agents] = await Promise.all([
    loadCatalogueItems(db),
    db
      .selectFrom('quorate.artifacts as a')
      .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
      .where('a.kind', '=', 'agent')
      .where('a.deleted_at', 'is', null)
      .orderBy('a.name')
      .orderBy('a.id')
      .select(['a.id', 'a.name', 'a.description', 'v.content_hash'])
      .execute(),
  ]);
  return [
    ...items,
    ...agents.map(
      (agent): StepTarget => ({
        id: agent.id,
        connection: AUTHORED_AGENTS,
        connectionName: AUTHORED_AGENTS,
        protocol: 'agent',
        capability: agent.id,
        title: agent.name,
        description: agent.description,
        approved: true,
        inputSchema: AGENT_INPUT_SCHEMA,
        outputSchema: AGENT_OUTPUT_SCHEMA,
        fingerprint: agent.content_hash,
        repeatable: false,
        effect: 'unstated',
      }),
    ),
  ];
}

/** The same for `checkWorkflow`, with the connections. */
export async function loadCatalogue(db: Db): Promise<Catalogue & { capabilities: readonly StepTarget[] }> {
  const [items, connections] = await Promise.all([
    loadStepTargets(db),
    db.selectFrom('quorate.connections').where('deleted_at', 'is', null).select(['slug', 'kind', 'settings']).execute(),
  ]);
  return {
    capabilities: items,
    connections: [
      ...connections.map((connection) => ({ slug: connection.slug, protocol: protocolOf(connection) })),
      { slug: AUTHORED_AGENTS, protocol: 'agent' as const },
    ],
  };
}
