/** Text under way, as clients of others hear of it: the official ones of MCP and A2A. The rule is that of the page of a run. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Artifact, Role, type StreamResponse } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { capabilityOfModel } from '#app/engine/models/model-capability.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { startSlowModel } from '#tests/support/slow-model.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';

let instance: Instance;
let model: Awaited<ReturnType<typeof startSlowModel>>;
let workspaceId: string;
let builder: string;
let key: string;
let plain: string;
let held: string;

const arrange = (text: string, values: unknown[]) =>
  instance.query(
    `with change as (${text} returning 1), event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), '${workspaceId}', 'system', 'test.arranged', 'workspace', '${workspaceId}') select 1`,
    values,
  );

async function addKey(scopes: readonly string[]): Promise<string> {
  const secret = `qk_${randomBytes(32).toString('base64url')}`;
  await arrange(
    `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Program', $4, $5, $6)`,
    [newId(), workspaceId, builder, secret.slice(0, 9), createHash('sha256').update(secret).digest(), scopes],
  );
  return secret;
}

async function addWorkflow(name: string, step: object): Promise<string> {
  const [artifactId, versionId] = [newId(), newId()];
  const write = {
    id: 'write',
    name: 'Write',
    kind: 'model',
    connection: 'slow',
    capability: 'small-1',
    input: { prompt: 'Write' },
    ...step,
  };
  await arrange(
    `insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, status) values ($1, $2, 'workflow', $3, '', $4, 'active')`,
    [artifactId, workspaceId, name, builder],
  );
  await arrange(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
       values ($1, $2, $3, 1, $4, 'served', (select user_id from quorate.members where workspace_id = $2 and 'admin' = any (roles)))`,
    [
      versionId,
      workspaceId,
      artifactId,
      JSON.stringify(workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, steps: [write], output: '=steps.write.text' })),
    ],
  );
  await arrange('update quorate.artifacts set published_version_id = $2 where id = $1', [artifactId, versionId]);
  return artifactId;
}

beforeAll(async () => {
  model = await startSlowModel();
  instance = await createInstance({});
  await instance.start();
  const [row] = await instance.query<{ workspace: string; builder: string }>(
    `select w.id as workspace, m.user_id as builder from quorate.workspaces w join quorate.members m on m.workspace_id = w.id
       and 'builder' = any (m.roles) where w.is_demo`,
  );
  if (row === undefined) throw new Error('no demo');
  ({ workspace: workspaceId, builder } = row);
  const connectionId = newId();
  const { fingerprint } = capabilityOfModel('openai', { id: 'small-1', title: 'small-1', description: '', contextTokens: null });
  await arrange('update quorate.workspaces set private_network = $2 where id = $1', [workspaceId, JSON.stringify(LOOPBACK_LIST)]);
  await arrange(
    `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed, settings)
       values ($1, $2, 'model', 'Slow', 'slow', $3, 'connected', $4, true, '{"provider":"openai","prices":{}}')`,
    [connectionId, workspaceId, `${model.stranger.origin}/v1`, builder],
  );
  await arrange(
    `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, description, input_schema, definition, fingerprint, approved_fingerprint)
       values ($1, $2, $3, 'model', 'small-1', 'Writes', null, '{}', $4, $4)`,
    [newId(), workspaceId, connectionId, fingerprint],
  );
  plain = await addWorkflow('Write a letter', {});
  held = await addWorkflow('Write data', { schema: '{"type":"object"}' });
  key = await addKey(['runs:read', 'runs:start', 'workflows:read']);
}, 180_000);
afterAll(async () => {
  await instance?.remove();
  await model?.stranger.stop();
});

/** Once the model is asked, hands over each piece when the one before was heard. */
async function write(before: number, pieces: readonly [string, () => boolean][], end?: string): Promise<void> {
  await expect.poll(model.calls, { timeout: 20_000 }).toBe(before + 1);
  for (const [piece, heard] of pieces) {
    model.write(piece);
    await expect.poll(heard, { timeout: 20_000 }).toBe(true);
  }
  if (end !== undefined) model.write(end);
  model.end();
}

async function stream(workflow: string, heard: (artifact: Artifact, append: boolean) => void, by = key): Promise<StreamResponse[]> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${by}`);
    return fetch(input, { ...init, headers });
  };
  const client = await new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(`${instance.origin}/a2a/${workspaceId}/${workflow}/.well-known/agent-card.json`, '');
  const events: StreamResponse[] = [];
  const message = {
    ...{
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    parts: [{ content: { $case: 'data' as const, value: {} }, metadata: undefined, filename: '', mediaType: 'application/json' }],
  };
  const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false };
  for await (const event of client.sendMessageStream({ tenant: '', message, configuration, metadata: undefined })) {
    events.push(event);
    if (event.payload?.$case === 'artifactUpdate' && event.payload.value.artifact !== undefined)
      heard(event.payload.value.artifact, event.payload.value.append);
  }
  return events;
}

test('an A2A client that streams appends the pieces to an artifact beside the result, which stays whole', async () => {
  const before = model.calls();
  let text = '';
  const appends: boolean[] = [];
  const writing = write(before, [
    ['Dear', () => text === 'Dear'],
    [' all,', () => text === 'Dear all,'],
  ]);
  const events = await stream(plain, (artifact, append) => {
    if (artifact.artifactId !== 'writing:write') return;
    const [part] = artifact.parts;
    if (part?.content?.$case === 'text') text = append ? text + part.content.value : part.content.value;
    appends.push(append);
    expect(artifact).toMatchObject({ name: 'Write', metadata: { partial: true } });
  });
  await writing;
  expect(text).toBe('Dear all,');
  expect(appends[0]).toBe(false);
  expect(appends.slice(1)).not.toContain(false);
  const results = events.flatMap(({ payload }) =>
    payload?.$case === 'artifactUpdate' && payload.value.artifact?.artifactId === 'output'
      ? [payload.value.artifact.parts[0]?.content]
      : [],
  );
  expect(results).toEqual([{ $case: 'text', value: 'Dear all,' }]);
});

test('where a schema may still refuse the answer, it hears of the length alone', async () => {
  const before = model.calls();
  const told: unknown[] = [];
  const writing = write(before, [['{"secret":', () => told.length > 0]], '1}');
  const events = await stream(held, (artifact) => {
    if (artifact.artifactId === 'writing:write') told.push(artifact.parts[0]?.content?.value);
  });
  await writing;
  expect(told[0]).toEqual({ characters: 10 });
  expect(JSON.stringify(events.slice(0, -2))).not.toContain('secret');
});

const modern = { versionNegotiation: { mode: 'auto' as const } };
test.each([
  ['2026-07-28', modern],
  ['the older revision', {}],
])('an MCP client of %s that gave a token for progress has the text in it, in growing steps', async (_, options) => {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp/${workspaceId}`), { authProvider: { token: async () => key } }),
  );
  const told: { progress: number; message?: string }[] = [];
  const said = (message: string) => told.some((one) => one.message === message);
  const writing = write(model.calls(), [
    ['Dear', () => said('Write: Dear')],
    [' all,', () => said('Write: Dear all,')],
  ]);
  const result = await client.callTool({ name: 'write_a_letter', arguments: {} }, { onprogress: (one) => told.push(one) });
  await writing;
  expect(result.structuredContent).toMatchObject({ status: 'completed', output: 'Dear all,' });
  const numbers = told.map(({ progress }) => progress);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  expect(numbers.at(-1)).toBe(1);

  told.length = 0;
  const holding = write(model.calls(), [['{"secret":', () => said('Write: 10 characters')]], '1}');
  await client.callTool({ name: 'write_data', arguments: {} }, { onprogress: (one) => told.push(one) });
  await holding;
  expect(JSON.stringify(told)).not.toContain('secret');
  await client.close();
});
