/** Every list that is paged by key: walked to its end in each of its orders, it names each row of its workspace once and no other's. */
import type pg from 'pg';
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { downloadKeys, loadKeyList, type WhoseKeys } from '#app/features/account/keys/load-key-list.server.ts';
import { downloadAgents, loadAgentList } from '#app/features/agents/load-agent-list.server.ts';
import { downloadAuditLog, loadAuditLog } from '#app/features/audit/load-audit-log.server.ts';
import { downloadConnections, loadConnectionList } from '#app/features/connections/load-connection-list.server.ts';
import { downloadMembers, loadMembers } from '#app/features/members/load-members.server.ts';
import { downloadDeliveries, loadDeliveries } from '#app/features/notifications/load-deliveries.server.ts';
import { downloadPolicies, loadPolicies } from '#app/features/policies/load-policies.server.ts';
import { downloadTriggers, loadTriggerList } from '#app/features/triggers/load-trigger-list.server.ts';
import { isRising, walkList } from '#tests/integration/lists/walk-list.ts';
import { recordedChange } from '#tests/integration/support/recorded-change.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

type Context = Readonly<RouterContextProvider>;
type Row = { id: string } & Record<string, string | number>;
type Loaded = { rows: Row[]; next: string | null; counts: FacetCounts };

let test: TestDatabase;
let home: Context;
let abroad: Context;
/** How often anything was read since the test began. */
let transactions = 0;
const ROWS = 113;
/** Things of another member, which one's own lists leave out. */
const OTHERS = 20;

beforeAll(async () => {
  test = await createTestDatabase();
  const names = Array.from({ length: ROWS }, (_, n) => ({
    roles: [n % 3 === 0 ? 'builder' : 'user'] as TestMember['roles'],
    name: `Ida ${n % 7}`,
  }));
  const workspace = await test.makeWorkspace({ members: [{ roles: ['admin', 'builder', 'auditor'], name: 'Zoe' }, ...names.slice(1)] });
  const other = await test.makeWorkspace({ members: [{ roles: ['admin', 'builder', 'auditor'], name: 'Stranger' }] });
  const [owner, colleague] = workspace.members as [TestMember, TestMember];
  home = contextOf(owner, workspace);
  abroad = contextOf(other.members[0] as TestMember, other);
  await test.arrange(workspace.id, async (client) => {
    await client.query(
      `update quorate.members set created_at = now() - length(email) * interval '1 day' - interval '1 hour' * (hashtext(name) % 5) where workspace_id = $1`,
      [workspace.id],
    );
    const keysOf = (member: TestMember, many: number) =>
      client.query(
        `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, created_at, expires_at, last_used_at)
       select gen_random_uuid(), $1, $2, '=Key ' || n % 11, 'qk_' || n, sha256(('key' || n || $2::uuid::text)::bytea), '{runs:read}', now() - (n % 9) * interval '1 day',
         case when n % 3 > 0 then now() + (n % 5 - 2) * interval '1 day' end, case when n % 4 > 0 then now() - (n % 7) * interval '1 hour' end
       from generate_series(1, $3::int) n`,
        [workspace.id, member.id, many],
      );
    await keysOf(owner, ROWS);
    await keysOf(colleague, OTHERS);
    const things = Array.from({ length: ROWS + OTHERS }, (_, n) => (n < ROWS ? owner : colleague));
    for (const [n, { id: by }] of things.entries()) {
      const day = new Date(Date.UTC(2026, 9, 1 + (n % 9)));
      const common = [workspace.id, `=Thing ${n % 11}`, by];
      for (const kind of ['policy', 'agent']) {
        const artifact = newId();
        await client.query(
          `insert into quorate.artifacts (id, workspace_id, name, owner_id, kind, status, updated_at) values ($1, $2, $3, $4, $5, $6, $7)`,
          [artifact, ...common, kind, n % 2 === 0 ? 'active' : 'inactive', day],
        );
        if (n % 5 < 3) await publish(client, artifact, 1 + (n % 4));
      }
      for (const kind of ['mcp', 'a2a', 'model', 'app']) {
        const connection = newId();
        await client.query(
          `insert into quorate.connections (id, workspace_id, name, owner_id, kind, slug, endpoint, status, last_check_at, paused_at)
           values ($1, $2, $3, $4, $5, $6, 'https://peer.example', $7, $8, $9)`,
          [
            connection,
            ...common,
            kind,
            `${kind}-${n}`,
            n % 2 === 0 ? 'connected' : 'error',
            n % 4 === 0 ? null : day,
            n % 7 === 0 ? day : null,
          ],
        );
        for (let tool = 0; tool < n % 3; tool += 1)
          await client.query(
            `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, definition, fingerprint, approved_fingerprint)
             values ($1, $2, $3, 'tool', $4, '{}', 'f', $5)`,
            [newId(), workspace.id, connection, `tool ${tool}`, [null, 'f', 'older'][(n + tool) % 4] ?? null],
          );
      }
    }
  });
  await test.arrange(workspace.id, (client) => decideByPolicies(client, workspace.id, owner.id));
  await test.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.triggers (id, workspace_id, artifact_id, kind, name, created_by, enabled, next_at, last_at)
       select gen_random_uuid(), $1, a.id, (array['schedule', 'webhook'])[1 + n % 2], '=Trigger ' || n % 11, a.owner_id, n % 3 > 0,
         case when n % 4 > 0 then now() + (n % 5) * interval '1 day' end, case when n % 5 > 0 then now() - (n % 7) * interval '1 hour' end
       from (select a.*, row_number() over (order by a.id)::int as n from quorate.artifacts a where a.workspace_id = $1 and a.kind = 'agent') a`,
      [workspace.id],
    );
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
      `insert into quorate.audit_events (id, workspace_id, at, actor_kind, actor_id, action, resource_kind, resource_id)
       values ($1, $2, $3, $4, $5, $6, 'test', $7)`,
      [
        newId(),
        workspace.id,
        new Date(Date.UTC(2026, 8, 1, 0, n % 13)),
        ...(n % 4 === 0 ? ['member', owner.id] : ['system', null]),
        n % 3 === 0 ? 'policy.paused' : 'test.arranged',
        `r${n}`,
      ],
    );
}, 120_000);
afterAll(async () => {
  await test.close();
});

async function publish(client: pg.PoolClient, artifact: string, number: number): Promise<void> {
  const version = newId();
  await client.query(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
     select $1, a.workspace_id, a.id, $3, '{}', 'h', a.owner_id from quorate.artifacts a where a.id = $2`,
    [version, artifact, number],
  );
  await client.query('update quorate.artifacts set published_version_id = $1 where id = $2', [version, artifact]);
}

/** One run in which each policy has decided nothing, once or twice. */
async function decideByPolicies(client: pg.PoolClient, workspaceId: string, initiatorId: string): Promise<void> {
  const run = newId();
  await client.query(
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status)
     select $1, $2, v.artifact_id, v.id, 'live', $3, 'completed' from quorate.versions v where v.workspace_id = $2 limit 1`,
    [run, workspaceId, initiatorId],
  );
  await client.query(
    `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, action_digest, policy_version)
     select gen_random_uuid(), $2, $1, 's', 1, 'x', 'warn', jsonb_build_array(jsonb_build_object('policyId', a.id)), '{}', 'd', 'p'
     from (select a.id, row_number() over (order by a.id) % 3 as decided from quorate.artifacts a where a.workspace_id = $2 and a.kind = 'policy') a
       cross join lateral generate_series(1, a.decided)`,
    [run, workspaceId],
  );
}

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
    change: recordedChange(test, member, within.id),
  });
  context.set(servicesContext, { newId, now: () => new Date() } as unknown as Services);
  return context;
}
const at = (params: URLSearchParams) => new URL(`http://x/list?${params}`);
type List = {
  load(context: Context, params: URLSearchParams): Promise<Loaded>;
  download(context: Context, params: URLSearchParams): Promise<Response>;
  orders: string[];
  /** The address of all of them, those that leave some, and the order in which all rows of it are equal. */
  filters: [Record<string, string>, ...Record<string, string>[]];
  same?: string;
  rows: number;
};

const connections = (kind: 'mcp' | 'app' | 'model'): List => ({
  load: async (context: Context, params: URLSearchParams): Promise<Loaded> => {
    const { connections: rows, list } = await loadConnectionList({ context, url: at(params), kind });
    return {
      rows: rows.map((row) => ({ ...row, address: '', lastCheck: row.lastCheckAt ?? '', personalDataAllowed: 0, lastCheckAt: 0 })),
      next: list.next,
      counts: list.counts,
    };
  },
  download: (context: Context, params: URLSearchParams) => downloadConnections(kind, context, at(params)),
  orders: ['name', 'status', 'offered', 'pending', 'changed', 'lastCheck'],
  filters: [{}, { status: 'error' }, { q: 'thing 1' }],
  rows: (kind === 'mcp' ? 2 : 1) * (ROWS + OTHERS),
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
      counts: list.counts,
    };
  },
  download: (context, params) => downloadKeys(whose, context, at(params)),
  orders: ['name', 'owner', 'created', 'expires', 'used'],
  filters: [{}, { state: 'active' }, { state: 'expired' }],
  ...(whose === 'own' ? { same: 'owner' } : {}),
  rows: whose === 'own' ? ROWS : ROWS + OTHERS,
});

const LISTS: Record<string, List> = {
  keys: keys('own'),
  allKeys: keys('all'),
  agents: {
    load: async (context, params) => {
      const { agents, list } = await loadAgentList({ context, url: at(params) });
      return {
        rows: agents.map(({ id, name, state, kind, owner }) => ({ id, name, state, kind, owner: owner ?? '' })),
        next: list.next,
        counts: list.counts,
      };
    },
    download: (context, params) => downloadAgents(context, at(params)),
    orders: ['name', 'state', 'kind', 'owner'],
    filters: [{ owner: 'all' }, {}, { owner: 'all', kind: 'remote' }, { owner: 'all', state: 'draft' }],
    rows: 2 * (ROWS + OTHERS),
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
        counts: list.counts,
      };
    },
    download: (context, params) => downloadPolicies(context, at(params)),
    orders: ['name', 'status', 'version', 'decisions', 'updated'],
    filters: [{}, { status: 'draft' }, { q: 'thing 1' }],
    rows: ROWS + OTHERS,
  },
  triggers: {
    load: async (context, params) => {
      const { triggers, list } = await loadTriggerList({ context, url: at(params) });
      return {
        rows: triggers.map(({ id, name, kind, status, workflow, nextAt, lastAt }) => ({
          id,
          name,
          kind,
          status,
          workflow: workflow.name,
          next: nextAt ?? '9999',
          last: lastAt ?? '0001',
        })),
        next: list.next,
        counts: list.counts,
      };
    },
    download: (context, params) => downloadTriggers(context, at(params)),
    orders: ['name', 'kind', 'status', 'workflow', 'next', 'last'],
    filters: [{}, { kind: 'webhook' }, { status: 'inactive' }, { q: 'trigger 1' }],
    rows: ROWS + OTHERS,
  },
  members: {
    load: async (context, params) => {
      const { members, list } = await loadMembers({ context, url: at(params) });
      return {
        rows: members.map(({ userId: id, name, email, since }) => ({ id, name, email, since })),
        next: list.next,
        counts: list.counts,
      };
    },
    download: (context, params) => downloadMembers(context, at(params)),
    orders: ['name', 'email', 'since'],
    filters: [{}, { role: 'builder' }, { q: 'ida 1' }],
    rows: ROWS,
  },
  deliveries: {
    load: async (context, params) => {
      const { rows, list } = await loadDeliveries({ context, url: at(params) });
      return { rows: rows.map(({ id, createdAt: created }) => ({ id, created })), next: list.next, counts: list.counts };
    },
    download: (context, params) => downloadDeliveries(context, at(params)),
    orders: ['created'],
    filters: [{}, { status: 'failed' }, { status: 'success', kind: 'mail' }],
    rows: ROWS,
  },
  audit: {
    load: async (context, params) => {
      const { rows, list } = (await loadAuditLog({ context, url: at(params) })).data;
      return { rows: rows.map(({ id, at: timestamp }) => ({ id, timestamp })), next: list.next, counts: list.counts };
    },
    download: (context, params) => downloadAuditLog(context, at(params)),
    orders: ['timestamp'],
    filters: [{}, { user: 'quorate' }, { action: 'test.arranged' }],
    rows: ROWS,
  },
};

describe.each(Object.entries(LISTS))('the list of %s', (name, { load, download, orders, filters, same, rows: expected }) => {
  const walk = (query: Record<string, string>) => walkList((params) => load(home, params), query);

  it.each(orders)('by %s is walked from page to page without a gap and without a row twice, and back the other way', async (order) => {
    const [whole, ...narrower] = filters;
    const all = await walk({ ...whole, sort: order });
    const values = all.map((row) => row[order] ?? expect.fail(order));
    expect(all.length).toBeGreaterThanOrEqual(expected);
    expect(new Set(values).size > 1).toBe(order !== same);
    for (const filter of filters) {
      const rows = filter === whole ? all : await walk({ ...filter, sort: order });
      const ids = rows.map(({ id }) => id);
      expect(ids).toHaveLength(new Set(ids).size);
      expect(isRising(rows.map((row) => row[order] ?? expect.fail(order)))).toBe(true);
      const back = await walk({ ...filter, sort: `-${order}` });
      expect(back.map(({ id }) => id)).toEqual(ids.toReversed());
      if (narrower.includes(filter)) {
        expect(ids.length).toBeGreaterThan(0);
        expect(ids.length).toBeLessThan(all.length);
      }
    }
  });

  it('is in each of its orders another one', async () => {
    const walks = new Set<string>();
    for (const order of orders) walks.add((await walk({ ...filters[0], sort: order })).map(({ id }) => id).join());
    expect(walks.size).toBe(orders.length);
  });

  it('counts of each value the rows that it leaves, beside what is chosen already', async () => {
    for (const filter of filters) {
      const { bounded, facets } = (await load(home, new URLSearchParams(filter))).counts;
      expect(bounded).toBe(false);
      expect(facets.flatMap(({ counts }) => counts).length).toBeGreaterThan(1);
      for (const { name: facet, counts } of facets)
        for (const { value, count } of counts)
          expect([facet, value, (await walk({ ...filter, [facet]: value })).length]).toEqual([facet, value, count]);
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
