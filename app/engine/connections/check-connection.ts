import type { AuditEntry } from '#app/domain/audit-event.ts';
import type { Json } from '#app/domain/tables.ts';
import { credentialContext, recordCheck, recordFailedCheck } from '#app/engine/connections/manage-connections.ts';
import { PeerError, type PeerKind } from '#app/engine/connections/peer.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';

export type CheckedConnection = {
  id: string;
  workspaceId: string;
  kind: PeerKind;
  name: string;
  endpoint: string;
  sealedCredential: Uint8Array | null;
  settings: Json;
};

export type CheckDeps = {
  engine: Pick<Engine, 'inspectPeer' | 'sealer'>;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
  newId(): string;
  now(): Date;
};

/** Asks a peer anew what it offers, and keeps the answer or why there was none. `news`: something differs from what was known. */
export async function checkConnection(deps: CheckDeps, connection: CheckedConnection): Promise<'unchanged' | 'news' | 'failed'> {
  const { engine, read, change, newId, now } = deps;
  const { id, workspaceId, kind, endpoint, sealedCredential, settings } = connection;
  const credential = sealedCredential === null ? null : engine.sealer.open(sealedCredential, credentialContext(id));
  try {
    const inspection = await engine.inspectPeer({
      kind,
      endpoint,
      credential,
      settings,
      privateNetwork: await read((db) => workspaceNetwork(db, workspaceId)),
    });
    const { news } = await change((db) => recordCheck(db, connection, inspection, { newId, at: now() }));
    return news === 0 ? 'unchanged' : 'news';
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    await change((db) => recordFailedCheck(db, connection, error.failure, now()));
    return 'failed';
  }
}
