import { capabilityState } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';
import type { Catalogue, CatalogueProtocol } from '#app/domain/workflow-check.ts';
import type { Db } from '#app/engine/db.ts';

export type CatalogueItem = {
  id: string;
  connection: string;
  connectionName: string;
  protocol: CatalogueProtocol;
  capability: string;
  title: string;
  description: string;
  approved: boolean;
  inputSchema: Json | null;
  outputSchema: Json | null;
  fingerprint: string;
};

/** What the workspace's workflows may name: every tool and skill that is still offered, approved or not. */
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
    protocol: row.kind,
    capability: row.name,
    title: row.title === '' ? row.name : row.title,
    description: row.description,
    approved: capabilityState(row) === 'approved',
    inputSchema: row.input_schema,
    outputSchema: row.output_schema,
    fingerprint: row.fingerprint,
  }));
}

/** The same for `checkWorkflow`. */
export async function loadCatalogue(db: Db): Promise<Catalogue> {
  const [items, connections] = await Promise.all([
    loadCatalogueItems(db),
    db.selectFrom('quorate.connections').where('deleted_at', 'is', null).select(['slug', 'kind']).execute(),
  ]);
  return {
    capabilities: items,
    connections: connections.map(({ slug, kind }) => ({ slug, protocol: kind })),
  };
}
