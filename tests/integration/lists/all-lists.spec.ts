/** Every list that is paged by key: walked to its end in each of its orders, it names each row of its workspace once and no other's. */
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { downloadKeys, loadKeyList, type WhoseKeys } from '#app/features/account/keys/load-key-list.server.ts';
import { downloadAgents, loadAgentList } from '#app/features/agents/load-agent-list.server.ts';
import { downloadAuditLog, loadAuditLog } from '#app/features/audit/load-audit-log.server.ts';
import { downloadConnections, loadConnectionList } from '#app/features/connections/load-connection-list.server.ts';
import { downloadMembers, loadMembers } from '#app/features/members/load-members.server.ts';
import { downloadDeliveries, loadDeliveries } from '#app/features/notifications/load-deliveries.server.ts';
import { downloadPolicies, loadPolicies } from '#app/features/policies/load-policies.server.ts';
import { isRising, walkList } from '#tests/integration/lists/walk-list.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

type Context = Readonly<RouterContextProvider>;
type Row = { id: string } & Record<string, string | number>;
type Loaded = { rows: Row[]; next: string | null };

let test: TestDatabase;
let home: Context;
let abroad: Context;
/** How often anything was read since the test began. */
let transactions = 0;
const ROWS = 113;

beforeAll(async () => {
  test = await createTestDatabase();
  const names = Array.from({ length: ROWS }, (_, n) => ({
    roles: [n % 3 === 0 ? 'builder' : 'user'] as TestMember['roles'],
    name: `Ida ${n % 7}`,
  }));
  const workspace = await test.makeWorkspace({ members: [{ roles: ['admin', 'builder', 'auditor'], name: 'Zoe' }, ...names.slice(1)] });
  const other = await test.makeWorkspace({ members: [{ roles: ['admin', 'builder', 'auditor'], name: 'Stranger' }] });
  const [owner] = workspace.members as [TestMember];
  home = contextOf(owner, workspace);
  abroad = contextOf(other.members[0] as TestMember, other);
  await test.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, created_at, expires_at, last_used_at)
       select gen_random_uuid(), $1, $2, '=Key ' || n % 11, 'qk_' || n, sha256(('key' || n)::bytea), '{runs:read}', now() - (n % 9) * interval '1 day',
         case when n % 3 > 0 then now() + (n % 5 - 2) * interval '1 day' end, case when n % 4 > 0 then now() - (n % 7) * interval '1 hour' end
       from generate_series(1, $3::int) n`,
      [workspace.id, owner.id, ROWS],
    );
    for (let n = 0; n < ROWS; n += 1) {
      const day = new Date(Date.UTC(2026, 9, 1 + (n % 9)));
      const common = [workspace.id, `=Thing ${n % 11}`, owner.id];
      for (const kind of ['policy', 'agent'])
        await client.query(
          `insert into quorate.artifacts (id, workspace_id, name, owner_id, kind, status, updated_at) values ($1, $2, $3, $4, $5, $6, $7)`,
          [newId(), ...common, kind, n % 2 === 0 ? 'active' : 'inactive', day],
        );
      for (const kind of ['mcp', 'a2a', 'model', 'app']) {
        const connection = newId();
        await client.query(
          `insert into quorate.connections (id, workspace_id, name, owner_id, kind, slug, endpoint, status, last_check_at)
           values ($1, $2, $3, $4, $5, $6, 'https://peer.example', $7, $8)`,
          [connection, ...common, kind, `${kind}-${n}`, n % 2 === 0 ? 'connected' : 'error', n % 4 === 0 ? null : day],
        );
        for (let tool = 0; tool < n % 3; tool += 1)
          await client.query(
            `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, definition, fingerprint) values ($1, $2, $3, 'tool', $4, '{}', 'f')`,
            [newId(), workspace.id, connection, `tool ${tool}`],
          );
      }
    }
  });
  await test.owner.query(
    `insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, status, created_at)
     select gen_random_uuid(), $1, (array['mail', 'webhook'])[1 + n % 2], '=mail' || n || '@example.com', 'Subject', 'Body',
       (array['failed', 'success', 'success'])[1 + n % 3], timestamptz '2026-09-01' + (n % 13) * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [workspace.id, ROWS],
  );
  for (let n = 0; n < ROWS; n += 1)
    await test.owner.query(
      `insert into quorate.audit_events (id, workspace_id, at, actor_kind, action, resource_kind, resource_id)
       values ($1, $2, $3, 'system', 'test.arranged', 'test', $4)`,
      [newId(), workspace.id, new Date(Date.UTC(2026, 8, 1, 0, n % 13)), `r${n}`],
    );
}, 120_000);
afterAll(async () => {
  await test.close();
});

function contextOf(member: TestMember, within: TestWorkspace): Context {
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: within.id };
  const context = new RouterContextProvider();
  context.set(memberContext, {
    member: {
      ...who,
      email: member.email,
      name: member.name,
      roles: member.roles,
      workspace: { ...within, haltedAt: null, isDemo: false },
    },
    read: (work) => {
      transactions += 1;
      return test.database.asMember(who, work, { readOnly: true });
    },
    change: () => Promise.reject(new Error('nothing is changed here')),
  });
  context.set(servicesContext, { now: () => new Date() } as unknown as Services);
  return context;
}
const at = (params: URLSearchParams) => new URL(`http://x/list?${params}`);
type List = {
  load(context: Context, params: URLSearchParams): Promise<Loaded>;
  download(context: Context, params: URLSearchParams): Promise<Response>;
  orders: string[];
  filters: Record<string, string>[];
  rows: number;
};

const connections = (kind: 'mcp' | 'app' | 'model'): List => ({
  load: async (context: Context, params: URLSearchParams): Promise<Loaded> => {
    const { connections: rows, list } = await loadConnectionList({ context, url: at(params), kind });
    return {
      rows: rows.map((row) => ({ ...row, address: '', lastCheck: row.lastCheckAt ?? '', personalDataAllowed: 0, lastCheckAt: 0 })),
      next: list.next,
    };
  },
  download: (context: Context, params: URLSearchParams) => downloadConnections(kind, context, at(params)),
  orders: ['name', 'status', 'offered', 'pending', 'changed', 'lastCheck'],
  filters: [{}, { status: 'error' }, { q: 'thing 1' }],
  rows: kind === 'mcp' ? 2 * ROWS : ROWS,
});

const keys = (whose: WhoseKeys): List => ({
  load: async (context, params) => {
    const { keys: rows, list } = await loadKeyList({ context, url: at(params) }, whose);
    return {
      rows: rows.map(({ id, name, owner, createdAt, expiresAt, lastUsedAt }) => ({
        id,
        name,
        owner,
        created: createdAt,
        expires: expiresAt ?? '9999',
        used: lastUsedAt ?? '0001',
      })),
      next: list.next,
    };
  },
  download: (context, params) => downloadKeys(whose, context, at(params)),
  orders: ['name', 'owner', 'created', 'expires', 'used'],
  filters: [{}, { state: 'active' }, { state: 'expired' }],
  rows: ROWS,
});

const LISTS: Record<string, List> = {
  keys: keys('own'),
  allKeys: keys('all'),
  agents: {
    load: async (context, params) => {
      const { agents, list } = await loadAgentList({ context, url: at(params) });
      return { rows: agents.map(({ id, name, state, kind, owner }) => ({ id, name, state, kind, owner: owner ?? '' })), next: list.next };
    },
    download: (context, params) => downloadAgents(context, at(params)),
    orders: ['name', 'state', 'kind', 'owner'],
    filters: [{}, { kind: 'remote' }, { state: 'draft', owner: 'all' }],
    rows: 2 * ROWS,
  },
  plugins: connections('mcp'),
  models: connections('model'),
  integrations: connections('app'),
  policies: {
    load: async (context, params) => {
      const { policies, list } = await loadPolicies({ context, url: at(params) });
      return {
        rows: policies.map(({ id, name, status, version, decisions, updatedAt }) => ({
          id,
          name,
          status,
          version: version ?? 0,
          decisions,
          updated: updatedAt,
        })),
        next: list.next,
      };
    },
    download: (context, params) => downloadPolicies(context, at(params)),
    orders: ['name', 'status', 'version', 'decisions', 'updated'],
    filters: [{}, { status: 'draft' }],
    rows: ROWS,
  },
  members: {
    load: async (context, params) => {
      const { members, list } = await loadMembers({ context, url: at(params) });
      return { rows: members.map(({ userId: id, name, email, since }) => ({ id, name, email, since })), next: list.next };
    },
    download: (context, params) => downloadMembers(context, at(params)),
    orders: ['name', 'email', 'since'],
    filters: [{}, { role: 'builder' }, { q: 'ida 1' }],
    rows: ROWS,
  },
  deliveries: {
    load: async (context, params) => {
      const { rows, list } = await loadDeliveries({ context, url: at(params) });
      return { rows: rows.map(({ id, createdAt: created }) => ({ id, created })), next: list.next };
    },
    download: (context, params) => downloadDeliveries(context, at(params)),
    orders: ['created'],
    filters: [{}, { status: 'failed' }, { status: 'success', kind: 'mail' }],
    rows: ROWS,
  },
  audit: {
    load: async (context, params) => {
      const { rows, list } = (await loadAuditLog({ context, url: at(params) })).data;
      return { rows: rows.map(({ id, at: timestamp }) => ({ id, timestamp })), next: list.next };
    },
    download: (context, params) => downloadAuditLog(context, at(params)),
    orders: ['timestamp'],
    filters: [{}, { user: 'quorate' }, { action: 'test.arranged' }],
    rows: ROWS,
  },
};

describe.each(Object.entries(LISTS))('the list of %s', (name, { load, download, orders, filters, rows: expected }) => {
  it.each(orders)('by %s is walked from page to page without a gap and without a row twice, and back the other way', async (order) => {
    for (const filter of filters) {
      const rows = await walkList((params) => load(home, params), { ...filter, sort: order });
      const ids = rows.map(({ id }) => id);
      expect(ids).toHaveLength(new Set(ids).size);
      expect(isRising(rows.map((row) => row[order] ?? expect.fail(order)))).toBe(true);
      const back = await walkList((params) => load(home, params), { ...filter, sort: `-${order}` });
      expect(back.map(({ id }) => id)).toEqual(ids.toReversed());
      if (Object.keys(filter).length === 0) expect(ids.length).toBeGreaterThanOrEqual(expected);
    }
  });

  it('leaves as a file with the rows and in the order of its pages, and no cell of it is a formula', async () => {
    const query = { ...filters[0], sort: `-${orders[0]}` };
    const rows = await walkList((params) => load(home, params), query);
    const text = await (await download(home, new URLSearchParams(query))).text();
    const [, ...lines] = text.trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(rows.map(({ id }) => id));
    expect(text).not.toMatch(/(?:^|[\n,])"?[=+@]/);
  });

  it('is read in one transaction, as a page and as a file', async () => {
    for (const read of [load, download]) {
      transactions = 0;
      await read(home, new URLSearchParams());
      expect(transactions).toBe(1);
    }
  });

  it('shows another workspace none of it', async () => {
    const mine = new Set((await walkList((params) => load(home, params), {})).map(({ id }) => id));
    const theirs = await walkList((params) => load(abroad, params), {});
    expect(
      theirs.filter(({ id }) => mine.has(id)),
      name,
    ).toEqual([]);
  });
});
