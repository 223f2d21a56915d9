/** Whatever someone has written keeps the order of its keys: on the way into the database, through runs, and to everyone who reads it. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Message, Role, type Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { type Stranger, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { arrangeIn } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

/** Neither by length nor by letters: jsonb would give a, b, mm, zeta. */
const WEIGHED = { zeta: 1, a: [{ mm: { long_name: 1, b: 2, a: 3 }, b: null, aa: [{ y: 1, x: 2 }] }], mm: 'kilogram', b: true };
const written = (value: unknown) => JSON.stringify(value);
/** 0.9 MB in full, else 0.25: more than any page may have, too. Something invisible stands at its end alone. */
const ROWS = process.env.QUORATE_TEST_FULL === undefined ? 4000 : 15_000;
const MUCH = Array.from({ length: ROWS }, (_, at) => ({ at, text: `Zeile ${at} – größer`.padEnd(30, '.') })).concat({
  at: ROWS,
  text: 'the end\u202e',
});
/** More than the shell, the values that a page shows of one step, and both once more as data can take. */
const PAGE_MAX_BYTES = 220_000;

/** The same value with the keys of every object the other way round. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('in the database', () => {
  let database: TestDatabase;
  let runs: RunFixture;
  let workspace: Workspace;
  let output: Json = WEIGHED;
  beforeAll(async () => {
    database = await createTestDatabase();
    runs = await createRunFixture(database);
    workspace = await runs.makeWorkspace();
    await runs.startWorker(async () => ({ output, protocolVersion: '1' }));
  });
  afterAll(async () => {
    await runs?.close();
    await database?.close();
  });

  const fields = ['zeta', 'a', 'mm', 'b'].map((name) => ({ name, title: name, type: 'text' }));
  const sent = { mm: '1', zeta: '2', b: '3', a: '4' };
  async function weigh(steps: object[] = []) {
    const { slug } = await runs.makeCapability(workspace, { name: 'weigh' });
    const input = { zeta: '=input.zeta', a: '=input', mm: '3', b: '=input.b' };
    const call = { id: 'weigh', name: 'Weigh', kind: 'tool', connection: slug, capability: 'weigh', input };
    const workflow = await runs.makeWorkflow(workspace, { input: fields, steps: [call, ...steps], output: '=steps.weigh' });
    const runId = await runs.start(workspace, workflow, sent);
    return { workflow, runId, run: await runs.until(runId, ['completed', 'failed', 'waiting']) };
  }

  test('a version, a run and its steps keep it, and so does the subject of an approval', async () => {
    output = WEIGHED;
    const ask = { id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', show: { Zeta: '=steps.weigh', A: '=input' }, risk: 'low' };
    const { workflow, runId, run } = await weigh([ask]);
    expect(run.status).toBe('waiting');
    expect(written(run.input)).toBe(written(sent));
    const { rows } = await database.owner.query('select document from quorate.versions where id = $1', [workflow.versionId]);
    expect(written(rows[0].document)).toBe(written(workflow.document));
    const [weighed, asked] = await runs.steps(runId);
    expect(written(weighed.input)).toBe(written({ zeta: '2', a: sent, mm: '3', b: '3' }));
    expect(written(weighed.output)).toBe(written(WEIGHED));
    expect(written(asked.input)).toBe(written({ question: 'Go on?', show: { Zeta: WEIGHED, A: sent } }));
    const approvals = await database.owner.query('select subject from quorate.approvals where run_id = $1', [runId]);
    expect(written(approvals.rows[0].subject.input)).toBe(written(asked.input));
  });

  test('whatever a tool answers comes back as it was written, under the digest of any order', { timeout: 120_000 }, async () => {
    // an object whose every key is a value to check: one run takes them all
    const key = fc.oneof(fc.constantFrom('zeta', 'a', 'mm', 'b', 'aa', ''), fc.string({ maxLength: 12 }));
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 6, noNullPrototype: true }),
      ) as fc.Arbitrary<Json>,
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 20, maxLength: 60 }), async (values) => {
        output = { values };
        const { runId, run } = await weigh();
        const [step] = await runs.steps(runId);
        expect(written(step.output)).toBe(written(output));
        expect(written(run.output)).toBe(written(output));
        expect(step.output_digest).toBe(digestOf(output));
        expect(digestOf(reversed(output))).toBe(step.output_digest);
      }),
      { numRuns: 8 },
    );
  });

  test('keys that are whole numbers come first and by their size, as ECMAScript has them, and the others keep their order', async () => {
    output = JSON.parse('{"zeta":1,"10":1,"a":1,"9":1,"01":1}');
    const { runId } = await weigh();
    const { rows } = await database.owner.query('select output::text from quorate.steps where run_id = $1', [runId]);
    expect(rows[0].output).toBe('{"9":1,"10":1,"zeta":1,"a":1,"01":1}');
  });

  test('a run that another worker takes over, and one that continues from an ended one, read what was written', async () => {
    output = WEIGHED;
    const { runId, workflow } = await weigh();
    const { rows } = await database.owner.query('select quorate.read_journal($1) as steps', [runId]);
    expect(written(rows[0].steps[0].output)).toBe(written(WEIGHED));
    const plan = { kept: ['weigh'], open: [], begun: [] };
    const next = await runs.start(workspace, workflow, sent, null, { runId, path: 'weigh', plan } as never);
    expect(written((await runs.until(next, ['completed', 'failed'])).output)).toBe(written(WEIGHED));
  });

  test('an inspection reads its document in order, with the mark that it is one', async () => {
    const workflow = await runs.makeWorkflow(workspace, { input: fields });
    await database.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.artifacts set kind = 'inspection' where id = $1`, [workflow.artifactId]);
    });
    const { rows } = await database.owner.query('select quorate.read_version($1, $2) as document', [workspace.id, workflow.versionId]);
    expect(written(rows[0].document)).toBe(written({ ...workflow.document, inspects: true }));
  });

  test('refuses what could not be read as jsonb, as before', async () => {
    for (const text of ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":'])
      await expect(database.owner.query('select $1::quorate.ordered_json', [text]), text).rejects.toThrow(/json|Unicode/i);
    await expect(database.owner.query('select null::quorate.ordered_json as none')).resolves.toMatchObject({ rows: [{ none: null }] });
  });
});

describe('to whoever reads it', () => {
  let instance: Instance;
  let tools: Stranger;
  let workspaceId: string;
  let key: string;
  let workflow: string;
  let builder: Person;
  let approver: Person;
  type Written = { steps: { input?: Json; show?: Json }[]; samples: { name: string; input: Json }[] };
  const document: Written & { [field: string]: unknown } = {
    format: 'quorate.workflow/1',
    input: ['zeta', 'a', 'mm', 'b'].map((name) => ({ name, title: `The ${name}`, type: 'text' })),
    steps: [
      {
        ...{ id: 'weigh', name: 'Weigh', kind: 'tool', connection: 'scales', capability: 'weigh' },
        input: { zeta: '=input.zeta', a: '=input.a', mm: '=input.mm', b: '=input.b' },
      },
      {
        ...{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Is it right?', risk: 'low' },
        show: { Zeta: '=steps.weigh', Aa: '=input.a', Mmm: '=input.mm', B: '=input.b' },
      },
    ],
    output: '=steps.weigh',
    samples: [{ name: 'One', input: { mm: 'x', zeta: 'y', b: 'z', a: 'w' } }],
  };
  const sent = { mm: 'third', zeta: 'first', b: 'fourth', a: 'second' };

  beforeAll(async () => {
    instance = await createInstance();
    await instance.start();
    const arranged = await arrangeIn(instance);
    workspaceId = arranged.workspaceId;
    const run = () => ({ content: [{ type: 'text' as const, text: written(WEIGHED) }], structuredContent: WEIGHED });
    const weighMuch = () => ({ content: [{ type: 'text' as const, text: 'Much' }], structuredContent: { rows: MUCH } });
    const text = { type: 'string' };
    const inputSchema = { type: 'object', properties: { zeta: text, a: text, mm: text, b: text } };
    const tool = { inputSchema, annotations: { readOnlyHint: true } };
    tools = await startStrangerServer({
      tools: [
        { ...tool, name: 'weigh', run },
        { ...tool, name: 'weigh_much', run: weighMuch },
      ],
    });
    await arranged.connect('scales', tools.origin);
    key = await addKey();
    [builder, approver] = await Promise.all([signInAs(instance.server(), 'builder'), signInAs(instance.server(), 'approver')]);
    const made = await call('/workflows', { name: 'Weigh it', document });
    workflow = String(made.id);
    const published = await builder.post(`/dashboard/workflows/${workflow}/publish`, { revision: '1', workspace: workspaceId });
    expect([published.status, published.headers.get('location')]).toEqual([303, `/dashboard/workflows/${workflow}`]);
  }, 180_000);
  afterAll(async () => {
    await instance?.remove();
    await tools?.stop();
  });

  async function addKey(): Promise<string> {
    const secret = `qk_${randomBytes(32).toString('base64url')}`;
    await instance.query(
      `with change as (insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes)
         select $1, $2, user_id, 'Program', $3, $4, $5 from quorate.members where workspace_id = $2 and 'builder' = any (roles) returning 1),
       event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
         select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text) select 1`,
      [
        ...[newId(), workspaceId, secret.slice(0, 9), createHash('sha256').update(secret).digest()],
        ['runs:read', 'runs:start', 'workflows:read', 'workflows:write', 'approvals:read'],
      ],
    );
    return secret;
  }
  async function call(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${instance.origin}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: written(body) }),
    });
    return response.json();
  }
  const waiting = (run: unknown) =>
    until('the question', async () => {
      const found = await call(`/runs/${run}`);
      return found.status === 'waiting' ? found : undefined;
    });
  /** The text of a page, as a browser reads it. */
  async function read(person: Person, path: string): Promise<string> {
    const page = await (await person.get(path)).text();
    const entities: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&#x27;': "'", '&amp;': '&' };
    return page.replaceAll(/&(?:quot|lt|gt|#x27|amp);/g, (entity) => entities[entity] ?? entity);
  }
  async function approve(run: unknown): Promise<string> {
    const { data } = (await call('/approvals?status=pending')) as { data: { id: string; runId: string }[] };
    const path = `/dashboard/approvals/${data.find((one) => one.runId === run)?.id}`;
    const page = await (await approver.get(path)).text();
    const hidden = [...page.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    const answer = await approver.post(path, { ...Object.fromEntries(hidden), vote: 'approve' });
    await answer.body?.cancel();
    expect(answer.status).toBe(303);
    return path;
  }
  async function ended(run: unknown) {
    await approve(run);
    return until('the end', async () => {
      const found = await call(`/runs/${run}`);
      return found.status === 'completed' ? found : undefined;
    });
  }

  test('a draft is read back as it was saved, and the version that is published of it', async () => {
    const draft = (await call(`/workflows/${workflow}/draft`)).document as Written;
    const [row] = await instance.query<{ document: Written }>('select document from quorate.versions where artifact_id = $1', [workflow]);
    for (const found of [draft, row?.document]) {
      expect(written(found?.steps[0]?.input)).toBe(written(document.steps[0]?.input));
      expect(written(found?.steps[1]?.show)).toBe(written(document.steps[1]?.show));
      expect(written(found?.samples[0]?.input)).toBe(written(document.samples[0]?.input));
    }
  });

  test('a run that a form starts has the order of its fields, and the approver sees what the author has put first, first', async () => {
    const form = { _mode: 'live', _key: randomUUID(), _revision: '0', workspace: workspaceId, ...sent };
    const started = await builder.post(`/dashboard/workflows/${workflow}/run`, form);
    const run = /\/runs\/([0-9a-f-]{36})$/.exec(started.headers.get('location') ?? '')?.[1] ?? '';
    await waiting(run);
    const { data } = (await call('/approvals?status=pending')) as { data: { id: string; runId: string }[] };
    const page = await read(approver, `/dashboard/approvals/${data.find((one) => one.runId === run)?.id}`);
    const terms = [...page.matchAll(/<dt[^>]*>(?:<bdi>)?(Zeta|Aa|Mmm|B)</g)].map(([, term]) => term);
    expect(terms).toEqual(['Zeta', 'Aa', 'Mmm', 'B']);
    expect(page).toContain(JSON.stringify(WEIGHED, null, 2));
    const found = await ended(run);
    expect(written(found.input)).toBe(written({ zeta: 'first', a: 'second', mm: 'third', b: 'fourth' }));
    const names = (html: string) => [...html.matchAll(/(?:<dt[^>]*>|text-accent">)<bdi>(\w+)</g)].map(([, name]) => name);
    const output = names(await read(builder, `/dashboard/runs/${run}?step=weigh`)).slice(0, 8);
    expect(output).toEqual(['zeta', 'a', '0', 'mm', 'b', 'aa', 'mm', 'b']);
    expect(names(await read(builder, `/dashboard/runs/${run}`)).slice(-4)).toEqual(['zeta', 'a', 'mm', 'b']);
    const file = await builder.get(`/dashboard/runs/${run}/value?of=output&step=weigh`);
    expect(await file.text()).toBe(`${JSON.stringify(WEIGHED, null, 2)}\n`);
    const own = (await (await builder.get('/dashboard/account/data/export')).json()) as { runsStarted: { id: string; input: Json }[] };
    expect(written(own.runsStarted.find(({ id }) => id === run)?.input)).toBe(written(found.input));
  });

  test('the API answers with the input as it was sent, and the output as the tool gave it', async () => {
    const found = await ended((await waiting((await call('/runs', { workflowId: workflow, input: sent })).id)).id);
    expect(written(found.input)).toBe(written(sent));
    expect(written(found.output)).toBe(written(WEIGHED));
    const asked = tools.requests.findLast(({ body }) => body.includes('"tools/call"'))?.body ?? '';
    expect(asked).toContain(written({ zeta: 'first', a: 'second', mm: 'third', b: 'fourth' }));
  });

  test('MCP lists the fields, takes the input and gives the output in order', async () => {
    const client = new Client({ name: 'order', version: '1' }, {});
    const address = new URL(`${instance.origin}/mcp/${workspaceId}`);
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: { token: async () => key } }));
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'weigh_it');
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['zeta', 'a', 'mm', 'b']);
    const { structuredContent: asked } = await client.callTool({ name: 'weigh_it', arguments: sent });
    const { runId } = asked as { runId: string };
    expect(written((await ended(runId)).input)).toBe(written(sent));
    const answer = await client.callTool({ name: 'get_run', arguments: { runId } });
    expect(written((answer.structuredContent as { output: Json }).output)).toBe(written(WEIGHED));
    expect(written(answer.content)).toContain(written(written(WEIGHED)).slice(1, -1));
    await client.close();
  });

  test('A2A takes the input and gives the output in order', async () => {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${key}`);
      return fetch(input, { ...init, headers });
    };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    });
    const client = await factory.createFromUrl(`${instance.origin}/a2a/${workspaceId}/${workflow}/.well-known/agent-card.json`, '');
    const message: Message = {
      ...{ messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined },
      ...{ extensions: [], referenceTaskIds: [] },
      parts: [{ content: { $case: 'data', value: sent }, mediaType: 'application/json', metadata: undefined, filename: '' }],
    };
    const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false };
    const { id } = (await client.sendMessage({ tenant: '', message, configuration, metadata: undefined })) as Task;
    expect(written((await ended(id)).input)).toBe(written(sent));
    const task = await client.getTask({ tenant: '', id });
    expect(written(task.artifacts[0]?.parts[0]?.content?.value)).toBe(written(WEIGHED));
  });

  test(`a value of ${ROWS} rows is shown by its beginning on every page that shows it, and whole as a file`, async () => {
    const pageOf = async (person: Person, path: string) => {
      const answer = await person.get(path);
      const html = await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      expect(Buffer.byteLength(html), path).toBeLessThan(PAGE_MAX_BYTES);
      return html;
    };
    /** The page names the file, which holds the whole value with nothing invisible in it. */
    const wholeOf = async (person: Person, path: string, file: string) => {
      expect(await pageOf(person, path), path).toContain(`href="${file.replaceAll('&', '&amp;')}"`);
      const answer = await person.get(file);
      expect([file, answer.status, answer.headers.get('content-disposition')]).toEqual([file, 200, expect.stringContaining('attachment')]);
      const text = await answer.text();
      expect(text).not.toContain('\u202e');
      return JSON.parse(text);
    };
    const much = {
      ...document,
      steps: [
        { ...{ id: 'weigh', name: 'Weigh', kind: 'tool', connection: 'scales', capability: 'weigh_much' }, input: { zeta: '=input.zeta' } },
        { ...document.steps[1], show: { Text: '=steps.weigh.rows[0].text', All: '=steps.weigh.rows', Given: '=input.zeta' } },
      ],
    };
    const { id } = await call('/workflows', { name: 'Weigh much', document: much });
    await (await builder.post(`/dashboard/workflows/${id}/publish`, { revision: '1', workspace: workspaceId })).body?.cancel();
    const zeta = `${'x'.repeat(19_990)}\u200b`;
    const run = String((await waiting((await call('/runs', { workflowId: id, input: { ...sent, zeta } })).id)).id);

    const { data } = (await call('/approvals?status=pending')) as { data: { id: string; runId: string }[] };
    const approval = `/dashboard/approvals/${data.find(({ runId }) => runId === run)?.id}`;
    const subject = await wholeOf(approver, approval, `${approval}/subject`);
    expect(subject.input.show).toEqual({ Text: MUCH[0]?.text, All: MUCH, Given: zeta });
    const asked = await pageOf(approver, approval);
    // What an approver cannot see in the beginning is told all the same: of the rows, of the long text, and of the whole.
    expect(asked.match(/Contains characters that cannot be seen/g)).toHaveLength(3);
    await pageOf(approver, '/dashboard/approvals');
    await approve(run);
    await until('the end', async () => (await call(`/runs/${run}`)).status === 'completed' || undefined);

    const value = (of: string, step = '') => `/dashboard/runs/${run}/value?of=${of}${step}`;
    expect(await wholeOf(builder, `/dashboard/runs/${run}`, value('output'))).toEqual({ rows: MUCH });
    expect(await wholeOf(builder, `/dashboard/runs/${run}?step=weigh`, value('output', '&step=weigh'))).toEqual({ rows: MUCH });
    expect((await wholeOf(builder, `/dashboard/runs/${run}/again`, value('input'))).zeta).toBe(zeta);
    const [decision] = await instance.query<{ id: string }>(`select id from quorate.decisions where run_id = $1 and step_path = 'weigh'`, [
      run,
    ]);
    expect((await wholeOf(builder, `/dashboard/ai-reasoning/${decision?.id}`, value('input', '&step=weigh'))).zeta).toBe(zeta);

    const inspector = await read(builder, '/dashboard/dev-console/inspector?capability=scales%2Fweigh_much');
    const [, _key = ''] = /name="_key"[^>]*value="([^"]+)"/.exec(inspector) ?? [];
    const form = { workspace: workspaceId, capability: 'scales/weigh_much', input: written({ zeta: 'x' }), _key };
    const call_ = (await builder.post('/dashboard/dev-console/inspector', form)).headers.get('location') ?? '';
    const inspected = call_.slice(call_.lastIndexOf('/') + 1);
    const output = `/dashboard/runs/${inspected}/value?of=output&step=call`;
    expect(await wholeOf(builder, call_, output)).toEqual({ rows: MUCH });
    expect((await wholeOf(builder, call_, `${call_}/frames`)).length).toBeGreaterThan(0);

    const [tool] = await instance.query<{ id: string; connection_id: string }>(
      `with change as (update quorate.capabilities set input_schema = $1, definition = $2 where name = 'weigh_much' returning id, connection_id),
         event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, payload)
           select $3, $4::uuid, 'system', 'test.arranged', 'workspace', $4::uuid::text, $5)
       select id, connection_id from change`,
      [
        written({ enum: MUCH }),
        written({ name: 'weigh_much', inputSchema: { enum: MUCH } }),
        ...[newId(), workspaceId],
        written({ rows: MUCH }),
      ],
    );
    const definition = `/dashboard/plugins/capabilities/${tool?.id}`;
    expect((await wholeOf(builder, `/dashboard/plugins/${tool?.connection_id}`, definition)).inputSchema).toEqual({ enum: MUCH });
    await wholeOf(builder, '/dashboard/dev-console/inspector?capability=scales%2Fweigh_much', definition);
    const [event] = await instance.query<{ id: string }>(
      `select id from quorate.audit_events where action = 'test.arranged' and payload ? 'rows'`,
      [],
    );
    const auditor = await signInAs(instance.server(), 'auditor');
    const entry = `/dashboard/audit/${event?.id}`;
    expect(await wholeOf(auditor, entry, `${entry}/payload`)).toEqual({ rows: MUCH });
    await pageOf(auditor, '/dashboard/audit');
    expect((await approver.get(`${entry}/payload`)).status).toBe(404);
  }, 120_000);
});
