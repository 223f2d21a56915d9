import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ApiKeyScope, Plan, Role } from '#app/contracts/people.ts';
import type { FileStore, Log, ScanFile } from '#app/contracts/ports.ts';
import type { Principal } from '#app/contracts/principals.ts';
import type { PlainlyStarted, PlainStart, ServedRun } from '#app/contracts/runs.ts';

/** The outside caller with an API key, and its services. Every transaction checks the key again. */
export type Caller = {
  key: {
    id: string;
    name: string;
    scopes: readonly ApiKeyScope[];
    roles: readonly Role[];
    user: { id: string };
    workspace: { id: string; name: string; plan: Plan; trialEndsAt: Date | null; settings: Json };
  };
  /** Digest of the workflows in force, read in this call. */
  servedRevision: string | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A run of the key's workspace that it may see, or null. */
  readRun(runId: string): Promise<ServedRun | null>;
  /** The run that one statement has started; null where something is in its way: nothing was written, and `change` says what. */
  startPlainly(start: PlainStart): Promise<PlainlyStarted | null>;
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};
/** An API key as who performs a command. */
export function keyPrincipal({ key, read, change }: Pick<Caller, 'key' | 'read' | 'change'>): Principal {
  const { workspace, user, name, roles, scopes } = key;
  return { workspace, userId: user.id, name, roles, scopes, read, change };
}

export type ServingDeps = {
  engine: Pick<
    Engine,
    'enqueueRun' | 'admitRun' | 'openStart' | 'watchRun' | 'watchGateway' | 'askPartialTexts' | 'sealer' | 'isEnding' | 'legacyCalls'
  >;
  files: FileStore;
  scanFile: ScanFile;
  newId(): string;
  now(): Date;
  log: Log;
  /** Names this call in the log: what a caller learns about a defect. */
  requestId: string;
  /** Public origin, for the pages that callers are sent to. */
  origin: string;
};
