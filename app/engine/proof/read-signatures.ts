import type { Db } from '#app/contracts/db.ts';

/** Heads that witnesses have signed and are named in a bundle at most, so that who asks a witness finds its own in it. */
const NEWEST_WATCHED = 5;

/** Sizes of the checkpoints that others signed: the newest, and the first that covers this entry, which dates it. At least one, for a query. */
export async function watchedSizes(db: Db, workspaceId: string, leaf: number): Promise<number[]> {
  const sizes: number[] = [];
  for (const table of ['quorate.cosignatures', 'quorate.time_stamps'] as const) {
    const all = db.selectFrom(table).select('size').distinct().where('workspace_id', '=', workspaceId);
    const newest = await all.orderBy('size', 'desc').limit(NEWEST_WATCHED).execute();
    const first = await all.where('size', '>', leaf).orderBy('size').limit(1).execute();
    sizes.push(...[...newest, ...first].map(({ size }) => size));
  }
  return sizes.length === 0 ? [-1] : sizes;
}

type Checkpoint = { size: number; note: string };

/** What a bundle says of each of these checkpoints: the note with the lines of its witnesses, and the stamp of an authority. */
export async function readSignatures(
  db: Db,
  workspaceId: string,
  checkpoints: readonly Checkpoint[],
): Promise<(checkpoint: Checkpoint) => { note: string; stamp?: string }> {
  const sizes = checkpoints.map(({ size }) => size);
  const lines = await db
    .selectFrom('quorate.cosignatures')
    .select(['size', 'line'])
    .where('workspace_id', '=', workspaceId)
    .where('size', 'in', sizes)
    .orderBy('witness')
    .execute();
  const stamps = await db
    .selectFrom('quorate.time_stamps')
    .select(['size', 'answer'])
    .where('workspace_id', '=', workspaceId)
    .where('size', 'in', sizes)
    .execute();
  return ({ size, note }) => {
    const stamp = stamps.find((one) => one.size === size);
    const signed = lines.filter((one) => one.size === size).map(({ line }) => `${line}\n`);
    return { note: `${note}${signed.join('')}`, ...(stamp === undefined ? {} : { stamp: Buffer.from(stamp.answer).toString('base64') }) };
  };
}
