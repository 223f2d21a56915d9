import { sql } from 'kysely';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { appSettingsSchema } from '#app/domain/connections/app-settings.ts';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { effectOf, type ToolEffect } from '#app/domain/connections/tool-findings.ts';
import { AGENT_INPUT_SCHEMA, AGENT_OUTPUT_SCHEMA } from '#app/domain/workflows/agent.ts';
import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import type { Catalogue, CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { isRepeatable } from '#app/domain/workflows/repeatable-call.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import { AUTHORED_WORKFLOWS } from '#app/domain/workflows/steps/sub-workflow-step.ts';
import { inputJsonSchema } from '#app/domain/workflows/workflow.ts';

export type CatalogueItem = {
  id: string;
  connection: string;
  connectionName: string;
  protocol: Exclude<CatalogueProtocol, 'agent' | 'workflow'>;
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

/** The same, where it may also be an agent or a workflow of the workspace. */
export type StepTarget = Omit<CatalogueItem, 'protocol'> & { protocol: CatalogueProtocol };

/** Everything a workflow may name: capabilities of connections, and the workspace's agents and other workflows with a version in force. */
export async function loadStepTargets(db: Db, ownId: string): Promise<StepTarget[]> {
  const [items, agents, workflows] = await Promise.all([
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
    db
      .selectFrom('quorate.artifacts as a')
      .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
      .where('a.kind', '=', 'workflow')
      .where('a.deleted_at', 'is', null)
      .where('a.id', '<>', ownId)
      .orderBy('a.name')
      .orderBy('a.id')
      .select(['a.id', 'a.name', 'a.description', 'v.content_hash', sql<InputField[]>`v.document -> 'input'`.as('input')])
      .execute(),
  ]);
  return [
    ...items,
    ...agents.map((agent) => ownTarget('agent', AUTHORED_AGENTS, agent, AGENT_INPUT_SCHEMA, AGENT_OUTPUT_SCHEMA)),
    ...workflows.map(({ input, ...workflow }) => ownTarget('workflow', AUTHORED_WORKFLOWS, workflow, inputJsonSchema(input) as Json, null)),
  ];
}

function ownTarget(
  protocol: 'agent' | 'workflow',
  connection: string,
  artifact: { id: string; name: string; description: string; content_hash: string },
  inputSchema: Json,
  outputSchema: Json,
): StepTarget {
  return {
    id: artifact.id,
    connection,
    connectionName: connection,
    protocol,
    capability: artifact.id,
    title: artifact.name,
    description: artifact.description,
    approved: true,
    inputSchema,
    outputSchema,
    fingerprint: artifact.content_hash,
    repeatable: false,
    effect: 'unstated',
  };
}

/** The same for `checkWorkflow`, with the connections. `ownId`: of the workflow itself, which may not call itself. */
export async function loadCatalogue(db: Db, ownId: string): Promise<Catalogue & { capabilities: readonly StepTarget[] }> {
  const [items, connections] = await Promise.all([
    loadStepTargets(db, ownId),
    db.selectFrom('quorate.connections').where('deleted_at', 'is', null).select(['slug', 'kind', 'settings']).execute(),
  ]);
  return {
    capabilities: items,
    connections: [
      ...connections.map((connection) => ({ slug: connection.slug, protocol: protocolOf(connection) })),
      { slug: AUTHORED_AGENTS, protocol: 'agent' as const },
      { slug: AUTHORED_WORKFLOWS, protocol: 'workflow' as const },
    ],
  };
}
