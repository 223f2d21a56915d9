import type { RouterContextProvider } from 'react-router';
import { deferPanel, loadPanel } from '#app/components/page/load-panel.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';

const DAY_MS = 86_400_000;
const SHOWN = 20;

type Asked = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Runs under way and their workers at once; what failed in the last seven days and what does not get out behind them, where scripts can put
 * it into place.
 */
export async function loadMonitoring({ request, context }: Asked) {
  const { member, read } = requirePermission(context, 'readAuditLog');
  const since = new Date(context.get(servicesContext).now().getTime() - 7 * DAY_MS);
  const panel = loadPanel(
    context,
    read((db) => readTroubles(db, member.workspace.id, since)).then((found) => inReadersLanguage(context, found)),
  );
  const present = await read((db) => readPresent(db, member.workspace.id));
  const { data: troubles } = await deferPanel(panel, request);
  return { ...present, troubles };
}
export type Monitoring = Awaited<ReturnType<typeof loadMonitoring>>;

async function readPresent(db: Db, workspaceId: string) {
  const queue = await db
    .selectFrom('quorate.runs')
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['pending', 'processing', 'waiting'])
    .groupBy('status')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest')])
    .execute();
  const workers = await db
    .selectFrom('quorate.runs')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'processing')
    .where('claimed_by', 'is not', null)
    .groupBy('claimed_by')
    .select((eb) => ['claimed_by as id', eb.fn.countAll<number>().as('runs'), eb.fn.max('updated_at').as('seen')])
    .orderBy('claimed_by')
    .limit(SHOWN)
    .execute();
  return {
    queue: (['pending', 'processing', 'waiting'] as const).map((status) => {
      const row = queue.find((found) => found.status === status);
      return { status, count: row?.count ?? 0, oldest: row?.oldest?.toISOString() ?? null };
    }),
    workers: workers.map((row) => ({ id: row.id ?? '', runs: row.runs, seen: row.seen?.toISOString() ?? null })),
  };
}

async function readTroubles(db: Db, workspaceId: string, since: Date) {
  const errors = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.created_at', '>=', since)
    .where('r.status', '=', 'failed')
    .select(['r.id', 'a.name', 'r.error', 'r.finished_at', 'r.created_at'])
    .orderBy('r.created_at', 'desc')
    .limit(SHOWN)
    .execute();
  const deliveries = await db
    .selectFrom('quorate.deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>=', since)
    .where((eb) => eb.or([eb('status', '=', 'failed'), eb.and([eb('status', '=', 'pending'), eb('attempts', '>', 0)])]))
    .select(['id', 'kind', 'status', 'attempts', 'last_error', 'created_at'])
    .orderBy('created_at', 'desc')
    .limit(SHOWN)
    .execute();
  return {
    errors: errors.map((row) => ({
      id: row.id,
      workflow: row.name,
      reason: explanationSchema.safeParse(row.error).data ?? ({ key: 'stepFailed', values: {} } satisfies Explanation),
      at: (row.finished_at ?? row.created_at).toISOString(),
    })),
    deliveries: deliveries.map((row) => ({
      id: row.id,
      kind: row.kind,
      failed: row.status === 'failed',
      attempts: row.attempts,
      error: row.last_error ?? '',
      at: row.created_at.toISOString(),
    })),
  };
}
export type Troubles = Awaited<ReturnType<typeof readTroubles>>;
