import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { NewId } from '#app/contracts/ports.ts';
import type { DemoDoors, DemoPerson, DemoSeed } from '#app/engine/demo/demo-seed.ts';
import { seedDemoConnections } from '#app/engine/demo/seed-demo-connections.ts';
import { type DemoTexts, seedDemoWorkflows } from '#app/engine/demo/seed-demo-workflows.ts';

type DemoRole = 'builder' | 'approver' | 'auditor' | 'admin';
export type DemoAccount = { email: string; password: string; name: string; roles: Role[] };
type DemoSession = { userId: string; sessionId: string; end(): Promise<void> };

export type DemoWorld = {
  /** The people of a start that was killed before it was done, with their passwords; null when there was none. */
  keptAccounts(): Promise<DemoAccount[] | null>;
  /** Gives passwords and keeps them, before the first account is made. */
  keepAccounts(people: readonly Omit<DemoAccount, 'password'>[]): Promise<DemoAccount[]>;
  /** Notes that the demo has no sample runs yet: they are made once pages are served. */
  oweRuns(workspaceId: string): Promise<void>;
  /** Marks the demo as complete, except for its sample runs. */
  finishAccounts(): Promise<void>;
  /** Signs in, making and confirming the account where it does not stand. */
  openSession(account: DemoAccount): Promise<DemoSession>;
  /** One transaction without a principal: instance-wide functions only. */
  asNobody<T>(work: (db: Db) => Promise<T>): Promise<T>;
  access(person: DemoPerson & { workspaceId: string }): DemoDoors;
  name: string;
  texts: DemoTexts;
  newId: NewId;
  now(): Date;
};

const PEOPLE: Record<DemoRole, Omit<DemoAccount, 'password'>> = {
  builder: { email: 'builder@demo.quorate.example', name: 'Bea Builder', roles: ['user', 'builder'] },
  approver: { email: 'approver@demo.quorate.example', name: 'Abe Approver', roles: ['user', 'approver'] },
  auditor: { email: 'auditor@demo.quorate.example', name: 'Ora Auditor', roles: ['user', 'auditor'] },
  admin: { email: 'admin@demo.quorate.example', name: 'Ada Admin', roles: ['user', 'admin'] },
};

/**
 * Makes the demo workspace of the very first start, or continues where a killed one left off: each part looks first what stands, and the
 * accounts are called finished last. Returns the people, or nobody where others have begun already.
 */
export async function makeDemo(world: DemoWorld): Promise<DemoAccount[]> {
  const kept = await world.keptAccounts();
  if (kept === null && !(await isUntouched(world))) return [];
  const accounts = kept ?? (await world.keepAccounts(Object.values(PEOPLE)));
  const people: DemoPerson[] = [];
  const sessions: DemoSession[] = [];
  for (const { password, ...account } of accounts) {
    const session = await world.openSession({ ...account, password });
    sessions.push(session);
    people.push({ ...account, userId: session.userId, sessionId: session.sessionId });
  }
  const workspaceId = await makeWorkspace(world, people);
  const doorsOf = (role: DemoRole) => {
    const person = people.find((one) => one.roles.includes(role));
    if (person === undefined) throw new Error(`the demo has no ${role}`);
    return { ...person, ...world.access({ ...person, workspaceId }) };
  };
  const seed: DemoSeed = {
    workspaceId,
    workspaceName: world.name,
    builder: doorsOf('builder'),
    approver: doorsOf('approver'),
    newId: world.newId,
    now: world.now,
  };
  // Policies in force come with every workspace (a trigger of the migrations).
  await seedDemoConnections(seed);
  await seedDemoWorkflows(seed, world.texts);
  for (const session of sessions) await session.end();
  await world.oweRuns(workspaceId);
  await world.finishAccounts();
  return accounts;
}

async function isUntouched(world: DemoWorld): Promise<boolean> {
  const { rows } = await world.asNobody((db) => sql<{ untouched: boolean }>`select quorate.is_untouched() as untouched`.execute(db));
  return rows[0]?.untouched ?? false;
}

async function makeWorkspace(world: DemoWorld, people: readonly DemoPerson[]): Promise<string> {
  const list = JSON.stringify(people.map(({ userId, name, email, roles }) => ({ id: userId, name, email, roles })));
  const { rows } = await world.asNobody((db) =>
    sql<{
      id: string;
    }>`select quorate.make_demo_workspace(${world.newId()}, ${world.name}, 'demo', ${list}::jsonb, ${world.newId()}) as id`.execute(db),
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the demo workspace was not made');
  return id;
}
