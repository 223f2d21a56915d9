import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Db } from '#app/contracts/db.ts';
import type { NewId, Sealer } from '#app/contracts/ports.ts';

export type RecordDeps = { asNobody<T>(work: (db: Db) => Promise<T>): Promise<T>; sealer: Sealer; newId: NewId };

/** Of clients that read the same code or token twice, the second is told no: `used` makes the library refuse, and end the grant. */
export type UsedTwice = () => Error;

const digest = (text: string) => createHash('sha256').update(text).digest();
const contextOf = (kind: string, hash: Uint8Array) => `authorization_records/${kind}/${Buffer.from(hash).toString('hex')}`;

/**
 * The records of oidc-provider, in PostgreSQL. Tokens and codes are kept as hashes, what belongs to them sealed, so that whoever reads the
 * table holds none. https://github.com/panva/node-oidc-provider/blob/main/example/my_adapter.js gives the shape.
 */
export function createRecords(kind: string, { asNobody, sealer, newId }: RecordDeps, usedTwice: UsedTwice): Adapter {
  const find = async (by: { id: string } | { uid: string }): Promise<AdapterPayload | undefined> => {
    const [id, uid] = 'id' in by ? [digest(by.id), null] : [null, digest(by.uid)];
    const { rows } = await asNobody((db) =>
      sql<{ payload: Uint8Array; id_hash: Uint8Array; consumed_at: Date | null }>`
        select * from quorate.find_authorization_record(${kind}, ${id}, ${uid})`.execute(db),
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    const payload: AdapterPayload = JSON.parse(sealer.open(row.payload, contextOf(kind, row.id_hash)));
    return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) };
  };
  return {
    async upsert(id, payload, expiresIn) {
      const hash = digest(id);
      const { consumed: _, ...kept } = payload;
      const sealed = sealer.seal(JSON.stringify(kept), contextOf(kind, hash));
      const scopes = payload.scope === undefined ? null : payload.scope.split(' ');
      const expiresAt = expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000);
      const uid = payload.uid === undefined ? null : digest(payload.uid);
      await asNobody((db) =>
        sql`select quorate.put_authorization_record(${kind}, ${hash}, ${sealed}, ${payload.grantId ?? null}, ${uid}, ${scopes},
          ${expiresAt})`.execute(db),
      );
    },
    find: (id) => find({ id }),
    findByUid: (uid) => find({ uid }),
    // Codes of devices are not offered.
    findByUserCode: async () => undefined,
    async consume(id) {
      const { rows } = await asNobody((db) =>
        sql<{ used: boolean }>`select quorate.consume_authorization_record(${kind}, ${digest(id)}) as used`.execute(db),
      );
      // The library has read before: of two at once, both have seen it unused.
      if (rows[0]?.used !== true) throw usedTwice();
    },
    async destroy(id) {
      await asNobody((db) => sql`select quorate.drop_authorization_record(${kind}, ${digest(id)})`.execute(db));
    },
    async revokeByGrantId(grantId) {
      await asNobody((db) => sql`select quorate.end_authorization_grant(${grantId}, ${newId()}::uuid)`.execute(db));
    },
  };
}
