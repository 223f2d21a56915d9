/**
 * Every screen of the dashboard on a small past: what each loader asks of the database is explained, and no plan may read a table that
 * grows from end to end. Sequential scans are made so dear that one is left only where no index serves.
 */
import pg from 'pg';
import { createRequestHandler, type ServerBuild } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import routes from '#app/routes.ts';
import { type History, insertHistory } from '#tests/bench/history.ts';
import { findPlaces, screenAddresses } from '#tests/bench/screen-addresses.ts';
import { addressesOf } from '#tests/integration/support/route-matrix.ts';
import { contextsOn, importBuild, PAGES_ORIGIN, sessionCookie } from '#tests/support/built-pages.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

/** Tables that grow with every day that a workspace lives. */
const GROWING = [
  'runs',
  'run_texts',
  'steps',
  'decisions',
  'approvals',
  'approval_votes',
  'approval_comments',
  'human_tasks',
  'run_files',
  'audit_events',
  'audit_nodes',
  'notifications',
  'deliveries',
];

const FULL = process.env.QUORATE_TEST_FULL !== undefined;

type Statement = { text: string; values: unknown[] };
type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; 'Recheck Cond'?: string; Plans?: Plan[] };

let test: TestDatabase;
let superuser: pg.Client;
let history: History;
let members: Record<'admin' | 'builder' | 'approver' | 'user', TestMember>;
let pages: ServerBuild;
const asked: Statement[] = [];
const wrong: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  superuser = new pg.Client({ ...inject('embeddedDatabase').superuser, database: test.name });
  await superuser.connect();
  const workspace = await test.makeWorkspace({
    members: [{ roles: ['user', 'admin', 'auditor'] }, { roles: ['user', 'builder'] }, { roles: ['user', 'approver'] }],
  });
  const [admin, builder, approver] = workspace.members as [TestMember, TestMember, TestMember];
  history = await insertHistory(superuser, workspace.id, {
    runs: 300,
    events: 2_000,
    workflows: 8,
    connections: 20,
    members: 30,
    days: 360,
    items: 300,
  });
  await superuser.query('analyze');
  const user = { ...builder, ...history.plainUser, roles: ['user' as const], sessionId: newId() };
  await test.owner.query('insert into auth.sessions (id, user_id) values ($1, $2)', [user.sessionId, user.id]);
  members = { admin, builder, approver, user };
  pages = await importBuild();
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [config] = given;
    if (typeof config === 'object' && config !== null && 'text' in config && 'values' in config)
      asked.push({ text: String(config.text), values: config.values as unknown[] });
    const answer = Reflect.apply(query, this, given);
    // What the rules refuse is an answer too; a statement that is wrong is none.
    if (answer instanceof Promise) answer.catch((error) => /^(42P|42703|42601|2203)/.test(error.code) && wrong.push(`${error.message}`));
    return answer;
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await superuser?.end();
  await test?.close();
});

/** The plan as the member has it; of a statement of nobody's (limits, sessions), which no member may send, the owner's. */
async function planOf(member: TestMember, statement: Statement): Promise<Plan> {
  const asMember = explain(member, statement, 'quorate_member');
  return asMember.catch((error) => (error.code === '42501' ? explain(member, statement, 'none') : Promise.reject(error)));
}

async function explain(member: TestMember, { text, values }: Statement, role: 'quorate_member' | 'none'): Promise<Plan> {
  await superuser.query('begin');
  try {
    await superuser.query(`select quorate.open_principal($2, null, $1, $3, null, null, null), set_config('enable_seqscan', 'off', true)`, [
      history.workspaceId,
      member.id,
      member.roles,
    ]);
    await superuser.query(`set local role ${role}`);
    const { rows } = await superuser.query({ text: `explain (format json, costs off) ${text}`, values });
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await superuser.query('rollback');
  }
}

function scansIn(plan: Plan): string[] {
  const relation = plan['Relation Name'] ?? '';
  const whole = plan['Node Type'] === 'Seq Scan' || (/^Index/.test(plan['Node Type']) && plan['Index Cond'] === undefined);
  return [...(whole && GROWING.includes(relation) ? [relation] : []), ...(plan.Plans ?? []).flatMap(scansIn)];
}

it('reads no table that grows from end to end', async () => {
  const handle = createRequestHandler(pages, 'production');
  const contextOf = await contextsOn(test.database);
  const found = new Set<string>();
  const known = new Set<string>();
  for (const member of FULL ? Object.values(members) : [members.admin, members.user]) {
    const cookie = `${sessionCookie({ userId: member.id, sessionId: member.sessionId })}; workspace=${history.workspaceId}`;
    const addresses = screenAddresses(await findPlaces(superuser, history.workspaceId, member.id));
    // Statements that depend on a role differ by who sees everything and who does not; the others' own statements show at the plain addresses, in
    // full.
    const all = member === members.admin || member === members.user;
    for (const path of Object.values(addresses).flatMap((paths) => (all ? paths : paths.slice(0, 1)))) {
      asked.length = 0;
      // The data alone: what is drawn asks nothing.
      const url = new URL(path, PAGES_ORIGIN);
      url.pathname += '.data';
      const request = new Request(url, { headers: { Cookie: cookie } });
      await (await handle(request, contextOf())).text();
      const mine = asked.splice(0).filter(({ text }) => /^\s*(select|with)\b/i.test(text) && !known.has(`${member.roles.join()} ${text}`));
      for (const statement of mine) {
        known.add(`${member.roles.join()} ${statement.text}`);
        for (const table of scansIn(await planOf(member, statement)))
          found.add(`${path} reads all of ${table}: ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 400)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect([...found]).toEqual([]);
  expect(known.size).toBeGreaterThan(100);
  // Hundreds of addresses: some seconds, and minutes on a machine that is busy with others.
}, 600_000);

it('knows every screen of the dashboard that reads', () => {
  const patterns = new Set(Object.keys(screenAddresses(new Proxy({}, { get: () => 'x' }) as Parameters<typeof screenAddresses>[0])));
  const missing = [...addressesOf(routes)]
    .filter(({ path, file }) => path.startsWith('/dashboard') && file.endsWith('.tsx') && !patterns.has(path))
    .map(({ path }) => path);
  expect(missing).toEqual([]);
});
