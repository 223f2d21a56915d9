import type { Db } from '#app/contracts/db.ts';
import type { GuardedFetch, Log, LogSigner, NewId } from '#app/contracts/ports.ts';

export type WatchDeps = {
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  signer: LogSigner;
  fetch: GuardedFetch;
  newId: NewId;
  now(): Date;
  log: Log;
};
