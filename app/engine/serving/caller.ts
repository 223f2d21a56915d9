import type { AuditEntry } from '#app/domain/audit/audit-event.ts';
import type { ApiKeyScope } from '#app/domain/people/api-key-scopes.ts';
import type { Plan } from '#app/domain/people/plans.ts';
import type { Role } from '#app/domain/people/roles.ts';
import type { Log } from '#app/domain/ports.ts';
import type { PlainStart, ServedRun } from '#app/domain/runs/served-run.ts';
import type { Json } from '#app/domain/tables.ts';
import type { Principal } from '#app/engine/commands/command.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';

/** Who calls from outside by an API key, and what they are served by. Every transaction asks the database again who that is. */
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
  /** The id of the run that one statement has started; null where something is in its way: nothing was written, and `change` says what. */
  startPlainly(start: PlainStart): Promise<string | null>;
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};
/** An API key as who performs a command. */
export function keyPrincipal({ key, read, change }: Pick<Caller, 'key' | 'read' | 'change'>): Principal {
  const { workspace, user, name, roles, scopes } = key;
  return { workspace, userId: user.id, name, roles, scopes, read, change };
}

export type ServingDeps = {
  engine: Pick<Engine, 'enqueueRun' | 'admitRun' | 'openStart' | 'watchRun' | 'sealer' | 'isEnding' | 'legacyCalls'>;
  newId(): string;
  now(): Date;
  log: Log;
  /** Public origin, for the pages that callers are sent to. */
  origin: string;
};
