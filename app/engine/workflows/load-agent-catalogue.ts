import type { Db } from '#app/contracts/db.ts';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import type { AgentCatalogue } from '#app/domain/workflows/agent.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';

const KINDS = { mcp: 'tool', app: 'tool', http: 'tool', a2a: 'skill', model: 'model' } as const;

/** Everything that an agent may be given: models, and tools and skills with the names that people know them by. */
export async function loadAgentCatalogue(db: Db) {
  const [items, models] = await Promise.all([
    loadCatalogueItems(db),
    db.selectFrom('quorate.connections').where('kind', '=', 'model').where('deleted_at', 'is', null).select(['slug', 'settings']).execute(),
  ]);
  const capabilities = items.map((item) => ({
    kind: KINDS[item.protocol],
    connection: item.connection,
    connectionName: item.connectionName,
    capability: item.capability,
    title: item.title,
    description: item.description,
    approved: item.approved,
  }));
  const priced = new Set(
    models.flatMap(({ slug, settings }) =>
      Object.keys(modelSettingsSchema.safeParse(settings).data?.prices ?? {}).map((model) => `${slug}/${model}`),
    ),
  );
  return { capabilities, priced } satisfies AgentCatalogue;
}
