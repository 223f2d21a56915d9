/**
 * Random orders of commands, votes, role changes, departures and time, against a model that says the rules a second time: after every command
 * the database is as the model is. A few hundred orders, and ten thousand in the full tests.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Change, ControlModel, type Kind, rolesIn, textOf } from '#tests/integration/support/control-model.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';
import { byChance, type Chance, full } from '#tests/survival/support/kills.ts';

const ORDERS = Number(process.env.QUORATE_ORDERS ?? (full ? 10_000 : 200));
const COMMANDS = 14;

let database: TestDatabase;
let client: pg.Client;
let workspace: string;
let policy: string;
let people: TestMember[];

beforeAll(async () => {
  database = await createTestDatabase();
  const made = await database.makeWorkspace({
    members: [
      { roles: ['admin', 'user'] },
      { roles: ['admin', 'user'] },
      { roles: ['approver', 'user'] },
      { roles: ['auditor', 'user'] },
      { roles: ['user'] },
    ],
    reviewsEffects: true,
  });
  ({ id: workspace, members: people } = made);
  // becomes a member as the application's login does, and moves time as nobody else can
  client = new pg.Client({ ...inject('embeddedDatabase').superuser, database: database.name });
  await client.connect();
  const { rows } = await client.query("select id from quorate.artifacts where workspace_id = $1 and name = 'High risk needs an approver'", [
    workspace,
  ]);
  policy = rows[0].id;
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const sessionOf = (by: string) => people.find(({ id }) => id === by)?.sessionId ?? newId();

/** What a person has just proved themselves for; with `honest` false, nothing. */
async function prove(by: string, act: string, subject: string, honest = true): Promise<void> {
  await client.query('delete from quorate.reauthentications');
  if (honest)
    await client.query(
      `insert into quorate.reauthentications (user_id, session_id, method, act, subject_id, proof, expires_at)
       values ($1, $2, 'password', $3, $4, '', clock_timestamp() + interval '5 minutes')`,
      [by, sessionOf(by), act, subject],
    );
}

/** Statements of one command as a member; what fails leaves nothing. Answers whether it was done. */
async function as(by: string | null, roles: readonly string[], text: string): Promise<boolean> {
  const become =
    by === null
      ? ''
      : `select quorate.open_principal('${by}', '${sessionOf(by)}', '${workspace}', '{${roles.join(',')}}', null, null, null); set local role quorate_member;`;
  await client.query('savepoint command');
  try {
    await client.query(`${become} ${text}`);
    await client.query('reset role; release savepoint command');
    return true;
  } catch (error) {
    // anything else is a fault of the test, or of the database
    if (!(error instanceof pg.DatabaseError) || !/^(?:Q|23505|23514|42501)/.test(error.code ?? '')) throw error;
    await client.query('rollback to savepoint command; reset role');
    return false;
  }
}

type Found = { policy: string; reviews: string; members: Record<string, string[]>; changes: Record<string, string> | null };

async function expectSame(model: ControlModel, said: string): Promise<void> {
  const { rows } = await client.query<{ found: Found }>(
    `select json_build_object('policy', (select status from quorate.artifacts where id = $2), 'reviews',
       (select reviews_effects::text from quorate.workspaces where id = $1),
       'members', (select json_object_agg(user_id, roles) from quorate.members where workspace_id = $1),
       'changes', (select json_object_agg(id, status) from quorate.control_changes where workspace_id = $1)) as found`,
    [workspace, policy],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the workspace is gone');
  const { members, changes, ...found } = row.found;
  expect(
    { ...found, members: Object.fromEntries(Object.entries(members).map(([id, roles]) => [id, textOf(roles)])), changes: changes ?? {} },
    said,
  ).toEqual({
    policy: model.policy,
    reviews: model.reviews,
    members: Object.fromEntries(model.members),
    changes: Object.fromEntries([...model.changes.values()].map(({ id, status }) => [id, status])),
  });
}

const STEPS = [1, 5, 26, 80, 185] as const;
const ROLE_SETS = ['user', 'approver user', 'admin user', 'auditor user', 'admin approver user', 'builder user'] as const;

const subjectOf = ({ kind, before, after }: Pick<Change, 'kind' | 'before' | 'after'>, version: string | null) => {
  const state = (text: string) =>
    kind === 'member_roles'
      ? { roles: rolesIn(text) }
      : kind === 'workspace_settings'
        ? { reviewsEffects: text === 'true' }
        : { status: text, versionId: version };
  return { after: state(after), before: state(before) };
};

type Order = { model: ControlModel; chance: Chance; version: string | null; said: string[] };

/** Everything that anybody may try, allowed or not. Answers whether the database did it, and whether the model did. */
const COMMANDS_BY_NAME: Record<string, (order: Order) => Promise<[done: boolean, expected: boolean] | null>> = {
  async ask({ model, chance, version }) {
    const by = chance.pick(people).id;
    const resource = chance.pick([policy, policy, workspace, ...people.map(({ id }) => id)]);
    const before = model.stateOf(resource);
    if (before === null || !model.members.has(by)) return null;
    const kind: Kind =
      resource === policy
        ? before === 'active'
          ? 'policy_pause'
          : 'policy_activate'
        : resource === workspace
          ? 'workspace_settings'
          : 'member_roles';
    const after =
      kind === 'member_roles'
        ? chance.pick(ROLE_SETS)
        : kind === 'workspace_settings'
          ? String(before !== 'true')
          : before === 'active'
            ? 'inactive'
            : 'active';
    if (after === before) return null;
    const id = newId();
    const { rows } = await client.query<{ roles: string[] }>('select roles from quorate.members where user_id = $1', [resource]);
    const state = subjectOf({ kind, before, after }, version);
    // roles stand in the order in which the database has them
    if (kind === 'member_roles') state.before = { roles: (rows[0]?.roles ?? []) as never };
    const subject = JSON.stringify({ ...state, kind, reason: 'x', resource, workspace });
    const done = await as(
      by,
      rolesIn(model.members.get(by) ?? ''),
      `select quorate.request_control_change('${id}', '${subject}', now() + interval '7 days')`,
    );
    return [done, model.ask({ id, kind, resource, before, after, by })];
  },
  async vote({ model, chance }) {
    const change = pickChange(model, chance);
    const by = chance.pick(people).id;
    if (change === null || !model.members.has(by)) return null;
    const [approve, honest] = [chance.next() < 0.75, chance.next() < 0.9];
    const digest = honest ? await digestOf(change.id) : 'f'.repeat(64);
    const text = `select quorate.vote_control_change('${change.id}', '${approve ? 'approve' : 'reject'}', 'because', '${digest}')`;
    await prove(by, 'vote', change.id);
    return [await as(by, rolesIn(model.members.get(by) ?? ''), text), model.vote(change, by, approve, honest)];
  },
  async breakGlass({ model, chance }) {
    const change = pickChange(model, chance);
    const by = chance.pick(people).id;
    if (change === null || !model.members.has(by)) return null;
    const [hours, honest] = [chance.pick([1, 4, 24, 25, 0]), chance.next() < 0.9];
    const text = `select quorate.start_break_glass('${change.id}', 'because', '${await digestOf(change.id)}', ${hours})`;
    await prove(by, 'break_glass', change.id, honest);
    return [await as(by, rolesIn(model.members.get(by) ?? ''), text), model.breakGlass(change, by, hours, honest)];
  },
  async withdraw({ model, chance }) {
    const change = pickChange(model, chance);
    const by = chance.pick(people).id;
    if (change === null || !model.members.has(by)) return null;
    const text = `select quorate.withdraw_control_change('${change.id}')`;
    return [await as(by, rolesIn(model.members.get(by) ?? ''), text), model.withdraw(change, by)];
  },
  /** Past the question: the login writes what is in force itself. */
  async write({ model, chance }) {
    const by = chance.pick(people).id;
    if (!rolesIn(model.members.get(by) ?? '').includes('admin')) return null;
    const status = model.policy === 'active' ? 'inactive' : 'active';
    const done = await as(
      by,
      rolesIn(model.members.get(by) ?? ''),
      `update quorate.artifacts set status = '${status}' where id = '${policy}'`,
    );
    const expected = !model.secondPerson(by);
    if (expected) model.policy = status;
    return [done, expected];
  },
  async sweep({ model }) {
    const done = await as(
      null,
      [],
      `select quorate.expire_control_change(workspace_id, change_id, quorate.make_id()) from quorate.list_overdue_changes(1000)`,
    );
    model.sweep();
    return [done, true];
  },
  async pass({ model, chance }) {
    await passHours(model, chance.pick(STEPS));
    return [true, true];
  },
  /** An agreement of which the order does not tell, or a departure. */
  async arrange({ model, chance }) {
    const { id } = chance.pick(people);
    if (!model.members.has(id)) return null;
    if (chance.next() < 0.3) return [await as(null, [], `delete from quorate.members where user_id = '${id}'`), model.leave(id)];
    const roles = chance.pick(ROLE_SETS);
    // the same roles in another order are another state to the database, and none to the model
    if (roles === model.members.get(id)) return null;
    return [
      await as(null, [], `update quorate.members set roles = '{${rolesIn(roles).join()}}' where user_id = '${id}'`),
      model.setRoles(id, roles),
    ];
  },
};
/** How often each is tried. */
const NAMES = [
  'ask',
  'ask',
  'ask',
  'vote',
  'vote',
  'vote',
  'vote',
  'breakGlass',
  'breakGlass',
  'withdraw',
  'write',
  'sweep',
  'sweep',
  'pass',
  'pass',
  'arrange',
] as const;

/** Mostly one that is open. */
function pickChange(model: ControlModel, chance: Chance): Change | null {
  const all = [...model.changes.values()];
  const open = all.filter(({ status }) => status === 'pending' || status === 'emergency');
  const from = open.length > 0 && chance.next() < 0.85 ? open : all;
  return from.length === 0 ? null : chance.pick(from);
}
/** Long ago: what one admin does then waits for nobody. */
async function leaveOneAdmin({ model }: Order): Promise<void> {
  for (const { id } of people.slice(1)) {
    await client.query("update quorate.members set roles = '{user}' where user_id = $1", [id]);
    model.setRoles(id, 'user');
  }
  await passHours(model, 8 * 24);
}

async function passHours(model: ControlModel, hours: number): Promise<void> {
  const back = (...columns: string[]) => columns.map((column) => `${column} = ${column} - interval '${hours} hours'`).join(', ');
  await client.query(`set local session_replication_role = replica;
    update quorate.control_terms set ${back('since', 'until')}; update quorate.control_changes set ${back('created_at', 'due_at', 'decided_at')};
    update quorate.break_glass set ${back('started_at', 'ends_at', 'ended_at')}; set local session_replication_role = origin`);
  model.now += hours;
}

const digestOf = async (id: string): Promise<string> =>
  (await client.query<{ digest: string }>('select digest from quorate.control_changes where id = $1', [id])).rows[0]?.digest ?? '';

/** Of everything that an order made: one other person for each agreement, on the digest of exactly that change, and no break-glass over a day. */
async function expectSound(said: string): Promise<void> {
  const { rows } = await client.query(
    `select c.id, c.status, c.digest, c.subject::text as subject, b.change_id is not null as glass, b.ends_at - b.started_at <= interval '1 day' as short,
       (select count(*)::int from quorate.control_votes v where v.change_id = c.id and v.vote = 'approve' and v.digest = c.digest
         and v.user_id <> c.requested_by and v.user_id is distinct from b.user_id) as agreed,
       (select count(*)::int from quorate.control_votes v where v.change_id = c.id) as votes
     from quorate.control_changes c left join quorate.break_glass b on b.change_id = c.id where c.workspace_id = $1`,
    [workspace],
  );
  for (const row of rows) {
    expect(row.digest, said).toBe(createHash('sha256').update(row.subject).digest('hex'));
    expect([row.status === 'approved' ? 1 : 0, row.votes <= 1, row.glass ? row.short : true], said).toEqual([row.agreed, true, true]);
  }
}

test(`${ORDERS} random orders leave the database as the model says`, { timeout: 3_600_000 }, () =>
  byChance(async (chance) => {
    const { rows } = await client.query('select published_version_id as version from quorate.artifacts where id = $1', [policy]);
    const outcomes = new Map<string, number>();
    for (let count = 0; count < ORDERS; count += 1) {
      await client.query('begin');
      const model = new ControlModel({ policy, workspace }, new Map(people.map(({ id, roles }) => [id, textOf(roles)])));
      const order: Order = { model, chance, version: rows[0].version, said: [] };
      if (chance.next() < 0.2) await leaveOneAdmin(order);
      for (let at = 0; at < COMMANDS; at += 1) {
        const name = chance.pick(NAMES);
        // one after the other, in no time at all
        model.now += 0.001;
        const outcome = await COMMANDS_BY_NAME[name]?.(order);
        if (outcome === null || outcome === undefined) continue;
        const [done, expected] = outcome;
        order.said.push(`${name} ${done ? 'done' : 'refused'}`);
        const said = `order ${count}: ${order.said.join(', ')}`;
        expect(done, said).toBe(expected);
        await expectSame(model, said);
        outcomes.set(`${name} ${done}`, (outcomes.get(`${name} ${done}`) ?? 0) + 1);
      }
      await expectSound(`order ${count}: ${order.said.join(', ')}`);
      await client.query('rollback');
    }
    // orders that never come to a thing prove nothing about it
    for (const name of ['ask', 'vote', 'breakGlass', 'withdraw', 'write'])
      for (const done of [true, false]) expect(outcomes.get(`${name} ${done}`) ?? 0, `${name} ${done}`).toBeGreaterThan(0);
  }),
);
