import type { Db } from '#app/contracts/db.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { TreeHead } from '#app/domain/audit/checkpoint.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import { type ProofSettings, proofSettingsSchema } from '#app/domain/proof/proof-settings.ts';
import { readHead } from '#app/domain/proof/signed-head.ts';

/** The newest head of a log, and what its workspace has set. `signedSizes`: the newest size that each witness has signed, by its key. */
export type Watched = {
  workspaceId: string;
  settings: ProofSettings;
  network: WorkspaceNetwork;
  head: TreeHead;
  note: string;
  signedSizes: ReadonlyMap<string, number>;
};

/** Null: the log has no head yet. */
export async function readWatched(db: Db, workspaceId: string): Promise<Watched | null> {
  const row = await db
    .selectFrom('quorate.workspaces')
    .select(['proof', 'private_network'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const newest = await newestNote(db, workspaceId);
  const head = newest === null ? null : readHead(newest);
  if (head === null || newest === null) return null;
  const signed = await db
    .selectFrom('quorate.cosignatures')
    .select((eb) => ['witness', eb.fn.max('size').as('size')])
    .where('workspace_id', '=', workspaceId)
    .groupBy('witness')
    .execute();
  return {
    workspaceId,
    settings: proofSettingsSchema.parse(row.proof),
    network: readWorkspaceNetwork(row.private_network),
    head,
    note: newest,
    signedSizes: new Map(signed.map((one) => [one.witness, Number(one.size)])),
  };
}

/** The newest checkpoint of a log; null: it has none. */
export async function newestNote(db: Db, workspaceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('quorate.checkpoints')
    .select('note')
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.note ?? null;
}
