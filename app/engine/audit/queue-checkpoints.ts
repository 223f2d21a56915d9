import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Log, LogSigner, NewId } from '#app/contracts/ports.ts';
import { checkpointOrigin, vkey } from '#app/domain/audit/checkpoint.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { adminAddressesSchema, mailsTo } from '#app/engine/audit/admin-addresses.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';

const EVERY = '1 day';

/** Member `checkpoints` of workspaces.settings: whether admins get the daily mail, and who else is called. */
export const checkpointSettingsSchema = z.object({
  mail: z.boolean().catch(true).default(true),
  webhook: z.url().nullable().catch(null).default(null),
});

/** Makes the mail of a checkpoint. `key` is the instance's public key, for pinning. */
export type CheckpointMail = (checkpoint: { language: Language; workspace: string; size: number; note: string; key: string }) => {
  subject: string;
  text: string;
};

type QueueDeps = {
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  signer: Pick<LogSigner, 'name' | 'publicKey'>;
  log: Log;
  newId: NewId;
  checkpointMail: CheckpointMail;
};

/**
 * Sends the newest checkpoint of each workspace out of the instance, once a day: who holds it can show later that the log was rewritten,
 * even if the instance's key was used for it. Returns how many were queued.
 */
export async function queueDueCheckpoints(deps: QueueDeps): Promise<number> {
  const due = await deps.asApp((db) =>
    sql<{ id: string }>`select w.id from quorate.due_checkpoint_workspaces(${EVERY}::interval) as w (id)`.execute(db),
  );
  let queued = 0;
  for (const { id } of due.rows) {
    try {
      queued += await deps.asWorker(id, (db) => queueCheckpoint(db, deps, id));
    } catch (error) {
      deps.log.error('checkpoints: not queued for delivery', { workspace: id, error });
    }
  }
  return queued;
}

/** Queues the newest checkpoint of one workspace, as a worker inside it. 0: another process was quicker, or nobody wants it. */
export async function queueCheckpoint(
  db: Db,
  deps: Pick<QueueDeps, 'signer' | 'newId' | 'checkpointMail'>,
  workspaceId: string,
): Promise<number> {
  const lock = await sql<{
    held: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${`checkpoints:${workspaceId}`}, 0)) as held`.execute(db);
  const newest = await db
    .selectFrom('quorate.checkpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (lock.rows[0]?.held !== true || newest === undefined || newest.delivered_at !== null) return 0;

  const workspace = await db
    .selectFrom('quorate.workspaces')
    .select(['name', 'settings'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const settings = checkpointSettingsSchema.parse(memberOf(workspace.settings, 'checkpoints') ?? {});
  const key = vkey(deps.signer.name, deps.signer.publicKey, sha256);
  const admins = settings.mail ? await readAdmins(db) : [];
  const { size, note } = newest;
  const deliveries = [
    ...mailsTo(admins, (language) => deps.checkpointMail({ language, workspace: workspace.name, size, note, key })),
    ...(settings.webhook === null
      ? []
      : [
          {
            kind: 'webhook' as const,
            target: settings.webhook,
            subject: 'checkpoint',
            body: JSON.stringify({
              type: 'checkpoint',
              origin: checkpointOrigin(deps.signer.name, workspaceId),
              size,
              note,
              key,
            }),
          },
        ]),
  ].map((delivery) => ({ id: deps.newId(), workspace_id: workspaceId, ...delivery }));
  if (deliveries.length === 0) return 0;
  await db.insertInto('quorate.deliveries').values(deliveries).execute();
  await db
    .updateTable('quorate.checkpoints')
    .set({ delivered_at: new Date() })
    .where('workspace_id', '=', workspaceId)
    .where('size', '=', newest.size)
    .execute();
  return deliveries.length;
}

async function readAdmins(db: Db) {
  const { rows } = await sql<{ people: Json }>`select quorate.list_admin_addresses() as people`.execute(db);
  return adminAddressesSchema.parse(rows[0]?.people);
}

function memberOf(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}
