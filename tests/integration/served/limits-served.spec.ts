/** Limits as people set them without scripts, and as programs hear of them: on a real server, through the clients of the protocols' makers. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { type Stranger, startStrangerServer } from '#tests/support/stranger-peers.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

let instance: Instance;
let workspaceId: string;
let builder: string;
let key: string;
/** A workflow whose one step calls a tool that answers when it is let go. */
let slow: string;
let connectionId: string;
let slowServer: Stranger;
let letGo = Promise.withResolvers<void>();
let calling = 0;
let people: { admin: Person; builder: Person };

const arrange = (text: string, values: unknown[]) =>
  instance.query(
    `with change as (${text} returning 1), event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), '${workspaceId}', 'system', 'test.arranged', 'workspace', '${workspaceId}') select 1`,
    values,
  );

beforeAll(async () => {
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
    `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Program', 'qk_prog', $4, $5)`,
    [newId(), workspaceId, builder, createHash('sha256').update(key).digest(), ['runs:read', 'runs:start']],
  );
  slowServer = await startStrangerServer({
    tools: [
      {
        name: 'hang',
        run: async () => {
          calling += 1;
          await letGo.promise.finally(() => {
            calling -= 1;
          });
          return { content: [{ type: 'text' as const, text: 'done' }] };
        },
      },
    ],
  });
  slow = await addSlowWorkflow(slowServer.origin);
  people = { admin: await signInAs(instance.server(), 'admin'), builder: await signInAs(instance.server(), 'builder') };
}, 180_000);
afterAll(async () => {
  letGo.resolve();
  await instance?.remove();
  await slowServer?.stop();
});
afterEach(async () => {
  letGo.resolve();
  await until('the end of all runs', async () => {
    const open = await instance.query(
      `select id from quorate.runs where artifact_id = '${slow}' and status in ('pending', 'processing', 'waiting')`,
    );
    return open.length === 0 ? true : undefined;
  });
  letGo = Promise.withResolvers<void>();
});

async function addSlowWorkflow(endpoint: string): Promise<string> {
  const peers = createPeers({ fetch, builtin: () => ({ origin: '', token: '' }) });
  const [tool] = (await peers.inspect({ kind: 'mcp', endpoint, credential: null })).capabilities;
  await peers.close();
  connectionId = newId();
  await arrange('update quorate.workspaces set private_network = $2 where id = $1', [workspaceId, JSON.stringify(LOOPBACK_LIST)]);
  await arrange(
    `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed)
       values ($1, $2, 'mcp', 'Slow tools', 'slow-tools', $3, 'connected', $4, true)`,
    [connectionId, workspaceId, endpoint, builder],
  );
  await arrange(
    `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, description, input_schema, definition, fingerprint, approved_fingerprint)
       values ($1, $2, $3, 'tool', 'hang', 'Answers late', '{"type":"object"}', '{}', $4, $4)`,
    [newId(), workspaceId, connectionId, tool?.fingerprint],
  );
  const document = workflowDocumentSchema.parse({
    ...EMPTY_WORKFLOW,
    steps: [{ id: 'hang', name: 'Hang', kind: 'tool', connection: 'slow-tools', capability: 'hang', input: {}, timeoutSeconds: 300 }],
  });
  const [artifactId, versionId] = [newId(), newId()];
  await arrange(
    `insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, status) values ($1, $2, 'workflow', 'Take long', 'Served', $3, 'active')`,
    [artifactId, workspaceId, builder],
  );
  await arrange(`insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) values ($1, $2, 1, $3, $4)`, [
    workspaceId,
    artifactId,
    JSON.stringify(document),
    builder,
  ]);
  await arrange(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
       values ($1, $2, $3, 1, $4, 'served', (select user_id from quorate.members where workspace_id = $2 and 'admin' = any (roles) limit 1))`,
    [versionId, workspaceId, artifactId, JSON.stringify(document)],
  );
  await arrange('update quorate.artifacts set published_version_id = $2, draft_revision = 1 where id = $1', [artifactId, versionId]);
  return artifactId;
}

async function start(): Promise<{ status: number; retryAfter: string | null; id: string }> {
  const response = await fetch(`${instance.origin}/api/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflowId: slow, input: {} }),
  });
  const { id } = (await response.json()) as { id: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), id };
}

const untilCalling = (count: number) => until(`${count} calls`, async () => (calling === count ? true : undefined));
const pageOf = async (person: Person, path: string) => {
  const answer = await person.get(path);
  expect(answer.status).toBe(200);
  return (await answer.text()).replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '');
};
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const untilPageSays = (path: string, words: string) =>
  until(words, async () => (textOf(await pageOf(people.builder, path)).includes(words) ? true : undefined));

/** What a browser would send of the form that holds this field, with other values typed into it. */
async function fillIn(person: Person, path: string, typed: Record<string, string>): Promise<Response> {
  const html = await pageOf(person, path);
  const [field = ''] = Object.keys(typed);
  const form = html.match(/<form[\s\S]*?<\/form>/g)?.find((one) => one.includes(`name="${field}"`)) ?? '';
  const sent: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
    const name = attribute('name');
    if (name === undefined || (attribute('type') === 'checkbox' && !/\bchecked\b/.test(tag))) continue;
    sent[name] = attribute('value') ?? '';
  }
  for (const [, name = '', value = ''] of form.matchAll(/<textarea[^>]*\bname="([^"]+)"[^>]*>([\s\S]*?)<\/textarea>/g)) sent[name] = value;
  for (const [, name = '', options = ''] of form.matchAll(/<select[^>]*\bname="([^"]+)"[^>]*>([\s\S]*?)<\/select>/g))
    sent[name] = /<option[^>]*\bvalue="([^"]*)"[^>]*\bselected\b/.exec(options)?.[1] ?? '';
  expect(Object.keys(sent)).toEqual(expect.arrayContaining(Object.keys(typed)));
  return person.post(path, { ...sent, ...typed });
}

describe('limits that people set without scripts', () => {
  test('of a workspace: further runs wait, more than wait are refused with the seconds, over every protocol', async () => {
    expect((await fillIn(people.admin, '/dashboard/admin/tenant', { runsAtOnce: '1', queuedRuns: '1' })).status).toBe(303);
    await start();
    await untilCalling(1);
    const second = await start();
    await untilPageSays(`/dashboard/runs/${second.id}`, 'Limit of this workspace: 1 at once.');
    const refused = await start();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.retryAfter);
    expect(seconds).toBeGreaterThan(0);

    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp/${workspaceId}`), { authProvider: { token: async () => key } }),
    );
    const said = await client.callTool({ name: 'take_long', arguments: {} });
    await client.close();
    expect(said.isError).toBe(true);
    expect(said.content).toEqual([{ type: 'text', text: expect.stringMatching(/^Too many runs wait .* Try again in \d+ seconds?\.$/) }]);

    const task = await sendByA2a();
    expect(task.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    const words = task.status?.message?.parts[0]?.content;
    expect(words?.$case === 'text' ? words.value : '').toMatch(/Try again in \d+ seconds?\.$/);

    expect((await fillIn(people.admin, '/dashboard/admin/tenant', { runsAtOnce: '', queuedRuns: '1000' })).status).toBe(303);
    await untilCalling(2);
  });

  async function sendByA2a(): Promise<Task> {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${key}`);
      return fetch(input, { ...init, headers });
    };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    });
    const agent = await factory.createFromUrl(`${instance.origin}/a2a/${workspaceId}/${slow}/.well-known/agent-card.json`, '');
    const message: Message = {
      ...{ messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined },
      ...{ extensions: [], referenceTaskIds: [] },
      parts: [{ content: { $case: 'data', value: {} }, mediaType: 'application/json', metadata: undefined, filename: '' }],
    };
    const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false };
    const answer = await agent.sendMessage({ tenant: '', message, configuration, metadata: undefined });
    if ('messageId' in answer) throw new Error('a message instead of a task');
    return answer;
  }

  test('of a workflow: further runs of it wait, without a new version', async () => {
    const settings = `/dashboard/workflows/${slow}/edit/settings`;
    expect((await fillIn(people.builder, settings, { runsAtOnce: 'many' })).status).toBe(400);
    expect((await fillIn(people.builder, settings, { runsAtOnce: '1' })).status).toBe(303);
    await start();
    await untilCalling(1);
    const second = await start();
    await untilPageSays(`/dashboard/runs/${second.id}`, 'Limit of this workflow: 1 at once.');
    expect((await fillIn(people.builder, settings, { runsAtOnce: '' })).status).toBe(303);
    await untilCalling(2);
  });

  test('of a connection: further calls wait, of runs and of the inspector alike, and each page says for what', async () => {
    const page = `/dashboard/plugins/${connectionId}`;
    const wrong = await fillIn(people.builder, `${page}/limits`, { atOnce: '0', aMinute: 'many' });
    expect(wrong.status).toBe(400);
    const given = await wrong.text();
    expect(given).toMatch(/name="aMinute"[^>]*value="many"|value="many"[^>]*name="aMinute"/);
    const saved = await fillIn(people.builder, `${page}/limits`, { atOnce: '1', aMinute: '500' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, expect.stringContaining(page)]);
    expect(textOf(await pageOf(people.builder, page))).toContain('1 at once and 500 per minute');
    const [event] = await instance.query<{ payload: unknown }>(
      `select payload from quorate.audit_events where action = 'connection.limited' and resource_id = '${connectionId}'`,
    );
    expect(event?.payload).toMatchObject({ from: { atOnce: null, aMinute: null }, to: { atOnce: 1, aMinute: 500 } });

    await start();
    await untilCalling(1);
    const second = await start();
    await untilPageSays(`/dashboard/runs/${second.id}`, 'Limit of Slow tools: 1 at once.');
    expect(textOf(await pageOf(people.builder, page))).toContain('1 call waits for a free place');
    const inspected = await fillIn(people.builder, '/dashboard/dev-console/inspector?capability=slow-tools%2Fhang', {
      input: '{}',
      capability: 'slow-tools/hang',
    });
    expect(inspected.status).toBe(303);
    await untilPageSays(inspected.headers.get('location') ?? '', 'Limit of Slow tools: 1 at once.');
    await instance.query(`select quorate.pause_calls('${workspaceId}', '${connectionId}', 100)`);
    expect(textOf(await pageOf(people.builder, page))).toContain('The service asked for fewer calls');
    await instance.query(`update quorate.connection_traffic set paused_until = null where connection_id = '${connectionId}'`);
    expect((await fillIn(people.builder, `${page}/limits`, { atOnce: '', aMinute: '' })).status).toBe(303);
    await untilCalling(3);
    expect(textOf(await pageOf(people.builder, page))).toMatch(/Limits None/);
  });

  test('those of a connection are for whoever manages it', async () => {
    const auditor = await signInAs(instance.server(), 'auditor');
    const path = `/dashboard/plugins/${connectionId}/limits`;
    expect((await auditor.get(path)).status).toBe(403);
    expect((await auditor.post(path, { atOnce: '1' })).status).toBe(403);
  });
});
