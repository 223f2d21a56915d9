import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { LOG_FILE_ENTRIES } from '#app/domain/control/evidence-export.ts';
import { can } from '#app/domain/people/roles.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

const CHECKPOINT_PAGE_SIZE = 25;
/** Checkpoints are many; old ones are found by their size in the address. */
const MOST_PAGES = 400;

/** The checkpoints of the workspace, newest first, the key that signs them, and the stretches in which the log can be downloaded. */
export async function loadCheckpoints({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const page = Math.max(1, Math.min(MOST_PAGES, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  const found = await read(async (db) => {
    const all = db.selectFrom('quorate.checkpoints').where('workspace_id', '=', member.workspace.id);
    const counted = all.select('size').limit(CHECKPOINT_PAGE_SIZE * MOST_PAGES);
    const { total } = await db
      .selectFrom(counted.as('counted'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const newest = await all.select('size').orderBy('size', 'desc').limit(1).executeTakeFirst();
    const rows = await all
      .select(['size', 'root', 'signed_at', 'delivered_at'])
      .orderBy('size', 'desc')
      .limit(CHECKPOINT_PAGE_SIZE)
      .offset((page - 1) * CHECKPOINT_PAGE_SIZE)
      .execute();
    return { total, rows, size: newest?.size ?? 0, asks: await secondPersonAgrees(db) };
  });
  const mayExport = can(member.roles, 'exportEvidence');
  return {
    page,
    pageCount: Math.max(1, Math.ceil(found.total / CHECKPOINT_PAGE_SIZE)),
    rows: found.rows.map((row) => ({
      size: row.size,
      root: hex(row.root),
      signedAt: row.signed_at.toISOString(),
      deliveredAt: row.delivered_at?.toISOString() ?? null,
    })),
    key: vkey(engine.signer.name, engine.signer.publicKey, sha256),
    successions: engine.signer.successions,
    mayExport,
    /** Another person agrees before entries leave. */
    asks: found.asks,
    size: found.size,
    stretch: LOG_FILE_ENTRIES,
    // The newest stretches: an older one is asked for with ?from= in the address.
    stretches: mayExport ? stretchesOf(found.size).slice(-12).reverse() : [],
  };
}
export type LoadedCheckpoints = Awaited<ReturnType<typeof loadCheckpoints>>;

function stretchesOf(size: number): { from: number; to: number }[] {
  return Array.from({ length: Math.ceil(size / LOG_FILE_ENTRIES) }, (_, n) => ({
    from: n * LOG_FILE_ENTRIES,
    to: Math.min(size, (n + 1) * LOG_FILE_ENTRIES) - 1,
  }));
}
