import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { capabilityState } from '#app/domain/connections/capability-state.ts';
import { statedPrice } from '#app/domain/connections/model-connection.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import { type CapabilityRecord, type Route, type RouteRequest, route } from '#app/engine/routing/route.ts';
import { indexCapabilities } from '#app/engine/routing/skill-match.ts';

export type HandRoute = Route & {
  /** Milliseconds that choosing took, without reading what there is to choose from. */
  tookMs: number;
  /** How many capabilities the workspace has. */
  offered: number;
};

/** The engine's present choice for a task, from the same rows as for a run. Calls and changes nothing. */
export async function routeByHand(db: Db, workspaceId: string, request: RouteRequest): Promise<HandRoute> {
  const rows = await db
    .selectFrom('quorate.capabilities as k')
    .innerJoin('quorate.connections as c', 'c.id', 'k.connection_id')
    .where('k.workspace_id', '=', workspaceId)
    .where('k.removed_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .select([
      'k.id',
      'k.connection_id',
      'k.kind',
      'k.name',
      'k.title',
      'k.description',
      'k.input_schema',
      'k.fingerprint',
      'k.approved_fingerprint',
      'k.removed_at',
      'c.name as connection_name',
      'c.slug',
      'c.kind as connection_kind',
      'c.status',
      'c.paused_at',
      'c.settings',
    ])
    .execute();
  const records = await sql<{ capability_id: string; calls: number; errors: number; p95_ms: number }>`
    select * from quorate.list_capability_records(${workspaceId})`.execute(db);
  const capabilities = rows.map(
    (row): RoutableCapability => ({
      id: row.id,
      connectionId: row.connection_id,
      kind: row.kind,
      name: row.name,
      title: row.title,
      description: row.description,
      inputSchema: row.input_schema,
      fingerprint: row.fingerprint,
      state: capabilityState(row),
      connection: {
        name: row.connection_name,
        slug: row.slug,
        kind: row.connection_kind,
        status: row.paused_at === null ? row.status : 'paused',
      },
      price: statedPrice(row.settings, row.name),
    }),
  );
  const index = indexCapabilities(capabilities);
  const known = new Map<string, CapabilityRecord>(
    records.rows.map((row) => [row.capability_id, { calls: row.calls, errors: row.errors, p95Ms: row.p95_ms }]),
  );
  const began = performance.now();
  const routed = route(index, known, request);
  return { ...routed, tookMs: performance.now() - began, offered: capabilities.length };
}
