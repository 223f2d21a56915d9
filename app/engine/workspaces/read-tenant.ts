import type { Db } from '#app/contracts/db.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import { readPaces } from '#app/domain/runs/pace.ts';
import { checkpointSettingsSchema } from '#app/engine/audit/queue-checkpoints.ts';

/** A workspace with what its administrators have set for it. */
export async function readTenant(db: Db, id: string) {
  const row = await db
    .selectFrom('quorate.workspaces')
    .select(['name', 'slug', 'settings', 'private_network', 'reviews_effects', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const settings = row.settings;
  const kept = typeof settings === 'object' && settings !== null && !Array.isArray(settings) ? settings : {};
  const stored = kept.checkpoints;
  return {
    name: row.name,
    slug: row.slug,
    createdAt: row.created_at.toISOString(),
    settings,
    reviewsEffects: row.reviews_effects,
    timeZone: typeof kept.timeZone === 'string' ? kept.timeZone : 'UTC',
    paces: readPaces(settings),
    privateNetwork: readWorkspaceNetwork(row.private_network),
    checkpoints: checkpointSettingsSchema.parse(stored ?? {}),
  };
}
