import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { NewId } from '#app/contracts/ports.ts';

export type DemoPerson = { userId: string; sessionId: string; email: string; name: string; roles: Role[] };

/** The data access of one person's loaders and actions. */
export type DemoDoors = {
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};

/** Shared by the parts of the demo. Nothing in it goes beyond what people can do. */
export type DemoSeed = {
  workspaceId: string;
  workspaceName: string;
  builder: DemoPerson & DemoDoors;
  approver: DemoPerson & DemoDoors;
  newId: NewId;
  now(): Date;
};
