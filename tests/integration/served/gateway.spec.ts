/** A gateway before tools of others: listed, judged, held for a person, carried out once, by the client of the protocol's makers. */
import { createHash, randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { gatewayDocument } from '#app/engine/gateways/gateway-document.ts';
import { expectHeld, HELD, startBearerProxy } from '#tests/integration/support/conformance.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { type Stranger, type StrangerTool, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { hiddenFields, signInAs } from '#tests/survival/support/person.ts';

const CONNECTION = 'bank';
const ADDRESS = 'payments';

let instance: Instance;
let bank: Stranger;
let workspaceId: string;
let builder: string;
let key: string;
let gateway: string;
const paid: Record<string, unknown>[] = [];

const PAY: StrangerTool = {
  name: 'pay',
  description: 'Pays an amount',
  annotations: { destructiveHint: true, readOnlyHint: false },
  inputSchema: {
    type: 'object',
    properties: { amount: { type: 'number', minimum: 1 }, payee: { type: 'string', pattern: '^(a+)+$' }, currency: { type: 'string' } },
    required: ['amount', 'payee', 'currency'],
  },
  run: (input) => {
    paid.push(input);
    return { content: [{ type: 'text', text: `Paid ${String(input.amount)} ${String(input.currency)}` }] };
  },
};
const world = {
  tools: [
    PAY,
    {
      name: 'balance',
      description: 'Says the balance',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] },
      outputSchema: { type: 'object', properties: { balance: { type: 'number' } }, required: ['balance'] },
      run: () => ({ content: [{ type: 'text', text: '{"balance":12}' }], structuredContent: { balance: 12 } }),
    },
    {
      name: 'fail',
      annotations: { readOnlyHint: true },
      run: () => ({ content: [{ type: 'text', text: 'No such account' }], isError: true }),
    },
  ] as StrangerTool[],
};

/** One change as the database's owner, with the event that every change needs. */
const arrange = (text: string, values: unknown[]) =>
  instance.query(
    `with change as (${text} returning 1), event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), '${workspaceId}', 'system', 'test.arranged', 'workspace', '${workspaceId}') select 1`,
    values,
  );

async function addVersion(document: object, number: number): Promise<string> {
  const id = newId();
  await arrange(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, $4, $5, 'gateway', $6)`,
    [id, workspaceId, gateway, number, JSON.stringify({ ...document, agents: {}, bindings: [] }), builder],
  );
  return id;
}

async function addGateway(): Promise<void> {
  gateway = newId();
  await arrange(
    `insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, status) values ($1, $2, 'gateway', 'Payments desk', 'Pays and looks up.', $3, 'active')`,
    [gateway, workspaceId, builder],
  );
  const empty = await addVersion(EMPTY_WORKFLOW, 1);
  await arrange('update quorate.artifacts set published_version_id = $2 where id = $1', [gateway, empty]);
  await arrange('insert into quorate.gateways (artifact_id, workspace_id, address) values ($1, $2, $3)', [gateway, workspaceId, ADDRESS]);
}

async function connectBank(): Promise<void> {
  const peers = createPeers({ fetch, builtin: () => ({ origin: '', token: '' }) });
  const { capabilities } = await peers.inspect({ kind: 'mcp', endpoint: bank.origin, credential: null });
  await peers.close();
  const connection = newId();
  await arrange('update quorate.workspaces set private_network = $2 where id = $1', [workspaceId, JSON.stringify(LOOPBACK_LIST)]);
  await arrange(
    `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed) values ($1, $2, 'mcp', 'Bank', $3, $4, 'connected', $5, true)`,
    [connection, workspaceId, CONNECTION, bank.origin, builder],
  );
  for (const [index, tool] of capabilities.entries()) {
    const id = newId();
    await arrange(
      `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, title, description, input_schema, output_schema, definition,
         fingerprint, approved_fingerprint, approved_definition) values ($1, $2, $3, 'tool', $4, $5, $6, $7, $8, $9, $10, $10, $9)`,
      [
        ...[id, workspaceId, connection, tool.name, tool.title, tool.description],
        ...[tool.inputSchema, tool.outputSchema, tool.definition].map((json) => JSON.stringify(json)),
        tool.fingerprint,
      ],
    );
    const name = tool.name === 'pay' ? 'send_money' : tool.name;
    const fixed: Record<string, string> = tool.name === 'pay' ? { currency: 'EUR' } : {};
    const target = { connection: CONNECTION, capability: tool.name, title: tool.title, inputSchema: tool.inputSchema as Json };
    const version = await addVersion(gatewayDocument(target, { name, fixed }), index + 2);
    await arrange(
      `insert into quorate.gateway_tools (id, workspace_id, gateway_id, capability_id, name, fixed, fingerprint, version_id) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [newId(), workspaceId, gateway, id, name, JSON.stringify(fixed), tool.fingerprint, version],
    );
  }
}

const LIMITS = `@id("limit")
@verdict("deny")
@reason("Nobody pays more than 10,000.")
forbid(principal, action == Action::"bank/pay", resource)
when { context.input.amount.greaterThan(decimal("10000.0")) };

@id("large")
@verdict("require_approval")
@reason("A person releases payments over 500.")
forbid(principal, action == Action::"bank/pay", resource)
when { context.input.amount.greaterThan(decimal("500.0")) };
`;

/** Puts a policy into force with the right of the database's superuser, whom no trigger stops. */
async function putInForce(text: string): Promise<void> {
  const [policy, version] = [newId(), newId()];
  const document = JSON.stringify({ format: 'quorate.policy/1', text });
  await instance.query(`set session_replication_role = replica;
    insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status, published_version_id)
      values ('${policy}', '${workspaceId}', 'policy', 'Limits', '${builder}', 'active', '${version}');
    insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
      values ('${version}', '${workspaceId}', '${policy}', 1, $document$${document}$document$, 'limits', '${builder}');
    update quorate.workspaces set config_revision = config_revision + 1 where id = '${workspaceId}'`);
}

beforeAll(async () => {
  bank = await startStrangerServer(world);
  instance = await createInstance();
  await instance.start();
  const [row] = await instance.query<{ workspace: string; builder: string }>(
    `select w.id as workspace, m.user_id as builder from quorate.workspaces w
       join quorate.members m on m.workspace_id = w.id and 'builder' = any (m.roles) where w.is_demo`,
  );
  if (row === undefined) throw new Error('no demo');
  ({ workspace: workspaceId, builder } = row);
  key = `qk_${randomBytes(32).toString('base64url')}`;
  await arrange(
    `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Agent', 'qk_agent', $4, $5)`,
    [newId(), workspaceId, builder, createHash('sha256').update(key).digest(), ['runs:read', 'runs:start', 'approvals:read']],
  );
  await addGateway();
  await connectBank();
  await putInForce(LIMITS);
}, 180_000);
afterAll(async () => {
  await instance?.remove();
  await bank?.stop();
});

async function connect(address = ADDRESS): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp/${workspaceId}/${address}`), { requestInit: { headers } }),
  );
  return client;
}

const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
  const client = await connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

/** Approves what a run waits for, as the approver of the demo, on the page. */
async function approve(run: unknown): Promise<void> {
  const person = await signInAs(instance.server(), 'approver');
  const [found] = await instance.query<{ id: string }>(`select id from quorate.approvals where run_id = '${run}' and status = 'pending'`);
  const page = await (await person.get(`/dashboard/approvals/${found?.id}`)).text();
  const answer = await person.post(`/dashboard/approvals/${found?.id}`, { ...hiddenFields(page), vote: 'approve' });
  expect(answer.status).toBe(303);
}

describe('what a gateway shows', () => {
  test('is its tools by their own names, as their peer states them, without what is fixed and without a stranger’s patterns', async () => {
    const { tools } = await withClient((client) => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual(['balance', 'fail', 'send_money', 'get_run']);
    expect(tools.find(({ name }) => name === 'send_money')).toMatchObject({
      description: 'Pays an amount',
      annotations: { destructiveHint: true },
      inputSchema: {
        properties: { amount: { type: 'number', minimum: 1 }, payee: { type: 'string' } },
        required: ['amount', 'payee'],
        additionalProperties: false,
      },
    });
    expect(JSON.stringify(tools.filter(({ name }) => name !== 'get_run'))).not.toMatch(/pattern|currency/);
  });

  test('is nothing where it is paused, for others, elsewhere, or where a tool has changed since it was approved', async () => {
    const statusOf = async (address: string) => {
      const answer = await fetch(`${instance.origin}/mcp/${workspaceId}/${address}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await statusOf('nowhere')).toBe(404);
    await arrange(`update quorate.artifacts set status = 'inactive' where id = $1`, [gateway]);
    expect(await statusOf(ADDRESS)).toBe(404);
    await arrange(`update quorate.artifacts set status = 'active' where id = $1`, [gateway]);
    await arrange(`update quorate.gateways set roles = '{auditor}' where artifact_id = $1`, [gateway]);
    expect(await statusOf(ADDRESS)).toBe(403);
    await arrange(`update quorate.gateways set roles = '{builder,auditor}' where artifact_id = $1`, [gateway]);
    await arrange(`update quorate.capabilities set fingerprint = 'another' where name = 'balance' and workspace_id = $1`, [workspaceId]);
    const { tools } = await withClient((client) => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual(['fail', 'send_money', 'get_run']);
    await arrange(`update quorate.capabilities set fingerprint = approved_fingerprint where name = 'balance' and workspace_id = $1`, [
      workspaceId,
    ]);
  });
});

describe('a gateway with more tools than a page holds', () => {
  /** Makes tools of its first one. */
  const copyTools = (count: number) =>
    arrange(
      `insert into quorate.gateway_tools (id, workspace_id, gateway_id, capability_id, name, description, fingerprint, version_id)
         select gen_random_uuid(), t.workspace_id, t.gateway_id, t.capability_id, 'copy_' || lpad(n::text, 5, '0'),
           case when n = 77 then 'Converts francs to guilders' else '' end, t.fingerprint, t.version_id
         from quorate.gateway_tools t cross join generate_series(1, $2::int) n where t.gateway_id = $1 and t.name = 'balance'`,
      [gateway, count],
    );
  const dropCopies = () => arrange(`delete from quorate.gateway_tools where gateway_id = $1 and name like 'copy_%'`, [gateway]);

  test('is listed by page, and searched', async () => {
    await copyTools(150);
    await withClient(async (client) => {
      const first = await client.request({ method: 'tools/list', params: {} });
      const all = [...first.tools.map(({ name }) => name)];
      expect(all.slice(0, 3)).toEqual(['get_run', 'search_tools', 'balance']);
      expect([all.length, typeof first.nextCursor]).toEqual([102, 'string']);
      const second = await client.listTools({ cursor: first.nextCursor ?? '' });
      all.push(...second.tools.map(({ name }) => name));
      expect([all.length, new Set(all).size, second.nextCursor]).toEqual([155, 155, undefined]);
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(all);
      await expect(client.listTools({ cursor: 'AAAA' })).rejects.toThrow(/cursor is unknown/);
      const found = await client.callTool({ name: 'search_tools', arguments: { query: 'change francs into guilders' } });
      expect(found.structuredContent).toMatchObject({ tools: [{ name: 'copy_00077', inputSchema: { required: ['account'] } }] });
      expect(await client.callTool({ name: 'copy_00077', arguments: { account: '1' } })).toMatchObject({
        structuredContent: { balance: 12 },
      });
    });
    await dropCopies();
  });

  test.runIf(process.env.QUORATE_TEST_FULL)('of 5,000 gives a page within 150 ms, in 95 of 100', { timeout: 180_000 }, async () => {
    await copyTools(5_000);
    const times: number[] = [];
    await withClient(async (client) => {
      let cursor: string | undefined;
      for (let page = 0; page < 120; page += 1) {
        const begun = performance.now();
        const answer = await client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } });
        if (page >= 20) times.push(performance.now() - begun);
        cursor = answer.nextCursor;
      }
    });
    times.sort((a, b) => a - b);
    expect(times[94]).toBeLessThan(150);
    await dropCopies();
  });
});

describe('a client that stays', () => {
  const addTool = (name: string) =>
    arrange(
      `insert into quorate.gateway_tools (id, workspace_id, gateway_id, capability_id, name, fingerprint, version_id)
         select gen_random_uuid(), t.workspace_id, t.gateway_id, t.capability_id, $2, t.fingerprint, t.version_id
         from quorate.gateway_tools t where t.gateway_id = $1 and t.name = 'balance'`,
      [gateway, name],
    );

  test.each(['2025-11-25', '2026-07-28'])('hears in %s that the list of tools has changed', { timeout: 60_000 }, async (revision) => {
    const changed = vi.fn();
    const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
    const client = new Client(
      { name: 'agent', version: '1' },
      { versionNegotiation: { mode }, listChanged: { tools: { autoRefresh: false, onChanged: changed } } },
    );
    const headers = { authorization: `Bearer ${key}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp/${workspaceId}/${ADDRESS}`), { requestInit: { headers } }),
    );
    try {
      let made = 0;
      // An older client opens its stream some time after it has connected: what changed before is no news.
      await vi.waitFor(
        async () => {
          made += 1;
          await addTool(`heard_${made}`);
          expect(changed).toHaveBeenCalled();
        },
        { timeout: 50_000, interval: 1_000 },
      );
    } finally {
      await client.close();
      await arrange(`delete from quorate.gateway_tools where gateway_id = $1 and name like 'heard_%'`, [gateway]);
    }
  });
});

describe('a gateway for some callers', () => {
  const withKeys = (keys: string[]) => arrange('update quorate.gateways set keys = $2 where artifact_id = $1', [gateway, keys]);

  test('refuses others with the reason, and takes the key that it names', async () => {
    const [own] = await instance.query<{ id: string }>(`select id from quorate.api_keys where prefix = 'qk_agent'`);
    await withKeys([newId()]);
    const refused = await connect().catch((error: Error) => error);
    expect(String(refused)).toContain('This gateway is not for this key.');
    await withKeys([own?.id ?? '', newId()]);
    expect((await withClient((client) => client.listTools())).tools).not.toEqual([]);
    await withKeys([]);
  });

  test('takes as many calls a minute as it was told, and says when to try again', async () => {
    const pace = (calls: number | null) =>
      arrange('update quorate.gateways set caller_calls_a_minute = $2 where artifact_id = $1', [gateway, calls]);
    await pace(1);
    const call = () => withClient((client) => client.callTool({ name: 'balance', arguments: { account: '12' } }));
    expect(await call()).toMatchObject({ structuredContent: { balance: 12 } });
    const runs = () => instance.query(`select 1 from quorate.runs where artifact_id = '${gateway}'`);
    const before = (await runs()).length;
    const late = await call();
    expect(late).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/at most 1 calls a minute.*Try again in \d+ s/) }],
    });
    expect(await runs()).toHaveLength(before);
    // Asking for a list is no call, and neither is asking how a run stands.
    expect((await withClient((client) => client.listTools())).tools).not.toEqual([]);
    const answer = await fetch(`${instance.origin}/mcp/${workspaceId}/${ADDRESS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'balance', arguments: { account: '1' } } }),
    });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await answer.text()).toContain('calls a minute');
    await pace(null);
  });
});

describe('a call', () => {
  test('that needs nobody answers as its tool does, and is a run on record', async () => {
    const answer = await withClient((client) => client.callTool({ name: 'balance', arguments: { account: '12' } }));
    expect(answer).toMatchObject({ structuredContent: { balance: 12 }, content: [{ type: 'text', text: '{"balance":12}' }] });
    const [run] = await instance.query<{ status: string; subject: string; events: number }>(
      `select r.status, r.subject::text, (select count(*)::int from quorate.audit_events e where e.resource_id = r.id::text) as events
       from quorate.runs r where r.artifact_id = '${gateway}' order by r.created_at desc limit 1`,
    );
    expect(run).toMatchObject({ status: 'completed', subject: expect.stringContaining('balance'), events: 2 });
  });

  test('that its tool refuses is an error with the reason', async () => {
    const answer = await withClient((client) => client.callTool({ name: 'fail', arguments: {} }));
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain('No such account');
  });

  test('that a policy denies by its amount never arrives, whatever it was told to send', async () => {
    const answer = await withClient((client) => client.callTool({ name: 'send_money', arguments: { amount: 20_000, payee: 'aaa' } }));
    expect(answer).toMatchObject({ isError: true, structuredContent: { status: 'failed' } });
    expect(JSON.stringify(answer.content)).toContain('Nobody pays more than 10,000.');
    expect(paid).toEqual([]);
  });

  test('with arguments that the tool does not take, or that are fixed, starts nothing', async () => {
    const before = await instance.query(`select 1 from quorate.runs where artifact_id = '${gateway}'`);
    const inputs = [{ payee: 'aaa' }, { amount: 'many', payee: 'aaa' }, { amount: 5, payee: 'aaa', currency: 'USD' }];
    for (const input of inputs) {
      const answer = await withClient((client) => client.callTool({ name: 'send_money', arguments: input })).catch((error: Error) => error);
      expect(answer instanceof Error || answer.isError).toBe(true);
    }
    expect(await instance.query(`select 1 from quorate.runs where artifact_id = '${gateway}'`)).toHaveLength(before.length);
    expect(paid).toEqual([]);
  });

  test('that waits for a person survives a kill, is carried out once when approved, though its caller has gone, and is found by its handle', async () => {
    const held = await withClient((client) => client.callTool({ name: 'send_money', arguments: { amount: 900, payee: 'aaa' } }));
    expect(held.structuredContent).toMatchObject({ status: 'waiting', approvalUrl: expect.stringContaining('/dashboard/approvals/') });
    const { runId } = held.structuredContent as { runId: string };
    await instance.kill();
    await instance.start();
    expect(paid).toEqual([]);
    await approve(runId);
    const done = await withClient((client) => client.callTool({ name: 'get_run', arguments: { runId } }));
    expect(done.structuredContent).toMatchObject({ status: 'completed', output: { text: 'Paid 900 EUR' } });
    expect(paid).toEqual([{ amount: 900, payee: 'aaa', currency: 'EUR' }]);
  });
});

// The same code as that of a workspace's tools, which `npm test` holds to it.
test.runIf(process.env.QUORATE_TEST_FULL).each(Object.entries(HELD))(
  '%s holds, by the conformance suite of its makers',
  { timeout: 240_000 },
  async (revision, held) => {
    const proxy = await startBearerProxy(new URL(`${instance.origin}/mcp/${workspaceId}/${ADDRESS}`), key);
    try {
      await expectHeld(proxy.url, revision, held);
    } finally {
      await proxy.stop();
    }
  },
);
