import { sql } from 'kysely';
import type { AuditEntry } from '#app/domain/audit-event.ts';
import type { NewId } from '#app/domain/ports.ts';
import type { Role } from '#app/domain/roles.ts';
import type { Db } from '#app/engine/db.ts';
import { seedDemoConnections } from '#app/engine/demo/seed-demo-connections.ts';
import { seedDemoWorkflows } from '#app/engine/demo/seed-demo-workflows.ts';

export const DEMO_ROLES = ['builder', 'approver', 'auditor', 'admin'] as const;
export type DemoRole = (typeof DEMO_ROLES)[number];
/** A person of the demo workspace, whose account is confirmed. */
export type DemoPerson = { userId: string; email: string; name: string; roles: Role[] };
export type DemoPeople = Readonly<Record<DemoRole, DemoPerson>>;

/** What each sub-step works with: the same doors that people go through, so that the demo holds nothing they could not make. */
export type DemoSeed = {
  workspaceId: string;
  people: DemoPeople;
  read<T>(role: DemoRole, work: (db: Db) => Promise<T>): Promise<T>;
  /** One change as that person, with its one audit event. */
  change<T>(role: DemoRole, work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
  newId: NewId;
  now(): Date;
};

export type DemoDoors = Pick<DemoSeed, 'newId' | 'now'> & {
  /** One transaction without a principal: instance-wide functions only. */
  asNobody<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** As a member: `person` has signed in for the seeding. */
  doors(
    person: DemoPerson,
    workspaceId: string,
  ): {
    read: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
    change: <T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>) => Promise<T>;
  };
};

/** True while a demo may be begun: nobody has a workspace yet. */
export async function isUntouched(asNobody: DemoDoors['asNobody']): Promise<boolean> {
  const { rows } = await asNobody((db) => sql<{ untouched: boolean }>`select quorate.is_untouched() as untouched`.execute(db));
  return rows[0]?.untouched ?? false;
}

/**
 * Makes the demo workspace for its four people, or goes on where a killed start left off: each sub-step first looks what
 * already stands. Policies in force come with every workspace (trigger of the migrations).
 */
export async function seedDemoWorkspace(options: DemoDoors & { people: DemoPeople; name: string }): Promise<{ workspaceId: string }> {
  const { asNobody, doors, people, name, newId, now } = options;
  const list = JSON.stringify(
    DEMO_ROLES.map((role) => ({ id: people[role].userId, name: people[role].name, email: people[role].email, roles: people[role].roles })),
  );
  const { rows } = await asNobody((db) =>
    sql<{ id: string }>`select quorate.make_demo_workspace(${newId()}, ${name}, 'demo', ${list}::jsonb, ${newId()}) as id`.execute(db),
  );
  const workspaceId = rows[0]?.id;
  if (workspaceId === undefined) throw new Error('the demo workspace was not made');
  const seed: DemoSeed = {
    workspaceId,
    people,
    read: (role, work) => doors(people[role], workspaceId).read(work),
    change: (role, work) => doors(people[role], workspaceId).change(work),
    newId,
    now,
  };
  await seedDemoConnections(seed);
  await seedDemoWorkflows(seed);
  return { workspaceId };
}
