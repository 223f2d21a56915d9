/**
 * Every way in which a use case weakens control, generated from the list of use cases: by each of them alone, by the wrong person, too late
 * or of another digest nothing changes, and a second person changes it once.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY_SCOPES } from '#app/contracts/people.ts';
import { CONTROL_KINDS } from '#app/contracts/statuses.ts';
import { agentDocumentSchema, EMPTY_AGENT } from '#app/domain/workflows/agent.ts';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createAgent } from '#app/engine/commands/agents/create-agent.ts';
import { recordAgent } from '#app/engine/commands/agents/record-agent.ts';
import type { Command, Weakening } from '#app/engine/commands/command.ts';
import { orderHalt } from '#app/engine/commands/halt/order-halt.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { type ControlDesk, openControlDesk } from '#tests/integration/support/control-desk.ts';
import { BENCH_PASSWORD, contextsOn, importBuild, PAGES_ORIGIN, sessionCookie } from '#tests/support/built-pages.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const root = join(import.meta.dirname, '../../..');
const files = globSync('app/engine/commands/*/*.ts', { cwd: root });
const isWeakening = (value: unknown): value is Command => typeof value === 'object' && value !== null && 'weakens' in value;
const weakening = (
  await Promise.all(files.map(async (file) => Object.values(await import(pathToFileURL(join(root, file)).href)).filter(isWeakening)))
).flat();
const ways = weakening.flatMap((command) => (command.weakens ?? []).map((kind) => [kind, command] as const));

let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let desk: ControlDesk;
let other: TestMember;
let pages: ServerBuild;
let contexts: () => RouterContextProvider;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
  pages = await importBuild();
  contexts = await contextsOn(database.database, {
    enqueueRun: fixture.enqueueRun,
    admitRun: fixture.admitRun,
    // a peer that takes every key
    inspectPeer: async () => ({ name: 'Peer', version: '1', description: '', protocolVersion: '1', capabilities: [] }),
  });
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace({ reviewsEffects: true });
  desk = openControlDesk(database, fixture, workspace);
  // who asks may be an admin no longer, and a workspace needs one
  other = await desk.join(['user', 'admin']);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const one = async (text: string, values: unknown[]) => (await database.owner.query(text, values)).rows[0];
const highRisk = async () =>
  one("select id, status from quorate.artifacts where workspace_id = $1 and name = 'High risk needs an approver'", [workspace.id]);
const act = (member: TestMember) => [desk.as(member), desk.deps()] as const;
const published = async (id: string) =>
  (await one('select published_version_id as version from quorate.artifacts where id = $1', [id])).version !== null;
const rolesOf = async (member: TestMember): Promise<string[]> =>
  (await one('select roles from quorate.members where workspace_id = $1 and user_id = $2', [workspace.id, member.id]))?.roles ?? [];
const REASON = 'A test asks';

/** The input of the use case, whether it has happened, and a statement that does it past the use case. */
type Arranged = {
  by: TestMember;
  input: unknown;
  happened(): Promise<boolean>;
  statement: string;
  /** The address of its form, and what is typed into it. */
  page: [path: string, form: Record<string, string>];
};

const ARRANGE: Record<Weakening, (command: Command) => Promise<Arranged>> = {
  async policy_publish() {
    const { id } = await perform(createPolicy, ...act(workspace.admin), { name: 'Large sums', description: '' });
    const text = '@id("a") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { context.risk == "high" };';
    return {
      by: workspace.admin,
      input: { policy: id, revision: 1, name: 'Large sums', description: '', text, reason: REASON },
      happened: () => published(id),
      statement: `update quorate.artifacts set status = 'active' where id = '${id}'`,
      page: [
        `/dashboard/policies/${id}/edit`,
        { intent: 'publish', revision: '1', name: 'Large sums', description: '', text, reason: REASON },
      ],
    };
  },
  async policy_pause() {
    const { id } = await highRisk();
    return {
      by: workspace.admin,
      input: { policy: id, inForce: false, reason: REASON },
      happened: async () => (await highRisk()).status === 'inactive',
      statement: `update quorate.artifacts set status = 'inactive' where id = '${id}'`,
      page: [`/dashboard/policies/${id}`, { intent: 'pause', reason: REASON }],
    };
  },
  async policy_activate() {
    const { id } = await highRisk();
    await database.arrange(workspace.id, async (client) => {
      await client.query("update quorate.artifacts set status = 'inactive' where id = $1", [id]);
    });
    return {
      by: workspace.admin,
      input: { policy: id, inForce: true, reason: REASON },
      happened: async () => (await highRisk()).status === 'active',
      statement: `update quorate.artifacts set status = 'active' where id = '${id}'`,
      page: [`/dashboard/policies/${id}`, { intent: 'activate', reason: REASON }],
    };
  },
  async member_roles() {
    return {
      by: workspace.admin,
      input: { userId: workspace.builder.id, roles: ['user', 'auditor'], reason: REASON },
      happened: async () => (await rolesOf(workspace.builder)).includes('auditor'),
      statement: `update quorate.members set roles = '{user,auditor}' where user_id = '${workspace.builder.id}'`,
      page: [`/dashboard/admin/members/${workspace.builder.id}`, { roles: 'auditor', reason: REASON }],
    };
  },
  async member_remove() {
    const auditor = await desk.join(['user', 'auditor']);
    return {
      by: workspace.admin,
      input: { userId: auditor.id, reason: REASON },
      happened: async () => (await rolesOf(auditor)).length === 0,
      statement: `delete from quorate.members where user_id = '${auditor.id}'`,
      page: [`/dashboard/admin/members/${auditor.id}/remove`, { reason: REASON }],
    };
  },
  async workflow_publish() {
    const step = { id: 'tell', name: 'Tell', kind: 'message', to: ['starter'], text: 'Done' };
    const document = workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, steps: [step] });
    const draft = { name: 'Pay out', description: '', document, template: null };
    const { id } = await perform(createWorkflow, ...act(workspace.builder), draft);
    return {
      by: workspace.builder,
      input: { workflow: id, revision: 1, reason: REASON },
      happened: () => published(id),
      statement: inForce(id),
      page: [`/dashboard/workflows/${id}/publish`, { revision: '1', reason: REASON }],
    };
  },
  async agent_publish() {
    const model = await fixture.makeCapability(workspace, { name: 'model-1', kind: 'model', slug: 'models' });
    await fixture.makeCapability(workspace, { name: 'transfer', slug: 'writing', writes: true });
    const tools = [{ kind: 'tool', connection: 'writing', capability: 'transfer' }];
    const document = agentDocumentSchema.parse({ ...EMPTY_AGENT, instructions: 'Help', connection: model.slug, model: 'model-1', tools });
    const about = { name: 'Helper', description: '', tags: [] };
    const { id } = await perform(createAgent, ...act(workspace.builder), { about, document });
    return {
      by: workspace.builder,
      input: { agent: id, revision: 1, reason: REASON },
      happened: () => published(id),
      statement: inForce(id),
      page: [`/dashboard/agents/authored/${id}`, { intent: 'publish', revision: '1', reason: REASON }],
    };
  },
  async workspace_settings() {
    return {
      by: workspace.admin,
      input: { on: false, reason: REASON },
      happened: async () => !(await one('select reviews_effects as on from quorate.workspaces where id = $1', [workspace.id])).on,
      statement: `update quorate.workspaces set reviews_effects = false where id = '${workspace.id}'`,
      page: ['/dashboard/admin/tenant', { intent: 'reviewOff', reason: REASON }],
    };
  },
  async workspace_proof() {
    const alone = { tiles: false, quorum: 0, witnesses: [], authority: null };
    const key = 'far+2a2b2c2d+BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g';
    const witnessed = { ...alone, quorum: 1, witnesses: [{ key, url: 'https://witness.example' }] };
    await database.arrange(workspace.id, async (client) => {
      await client.query('update quorate.workspaces set proof = $2 where id = $1', [workspace.id, JSON.stringify(witnessed)]);
    });
    return {
      by: workspace.admin,
      input: { proof: alone, reason: REASON },
      happened: async () => (await one('select proof from quorate.workspaces where id = $1', [workspace.id])).proof.quorum === 0,
      statement: `update quorate.workspaces set proof = '${JSON.stringify(alone)}' where id = '${workspace.id}'`,
      page: ['/dashboard/audit/proof', { witnesses: '', quorum: '0', reason: REASON }],
    };
  },
  async connection_approve() {
    const made = await fixture.makeCapability(workspace, { name: 'transfer', approved: false, writes: true });
    const fingerprint = 'f'.repeat(64);
    await database.arrange(workspace.id, async (client) => {
      await client.query('update quorate.capabilities set fingerprint = $2 where id = $1', [made.capabilityId, fingerprint]);
    });
    const shown = [{ id: made.capabilityId, fingerprint }];
    return {
      by: workspace.admin,
      input: { connection: { id: made.connectionId, name: made.slug }, shown, reason: REASON },
      happened: async () =>
        (await one('select approved_fingerprint as f from quorate.capabilities where id = $1', [made.capabilityId])).f === fingerprint,
      statement: `update quorate.capabilities set approved_fingerprint = fingerprint, approved_definition = definition
        where id = '${made.capabilityId}'`,
      page: [
        `/dashboard/plugins/${made.connectionId}`,
        { intent: 'approve', capability: `${made.capabilityId}:${fingerprint}`, reason: REASON },
      ],
    };
  },
  async connection_permits({ actions }) {
    const made = await fixture.makeCapability(workspace, { name: 'transfer', personalDataAllowed: false });
    const [column, intent] = actions.includes('connection.repeatAllowed')
      ? ['idempotent', 'allowRepeat']
      : ['personal_data_allowed', 'allowPersonalData'];
    return {
      by: workspace.admin,
      input: { connection: { id: made.connectionId, name: made.slug }, allowed: true, reason: REASON },
      happened: async () => (await one(`select ${column} as on from quorate.connections where id = $1`, [made.connectionId])).on,
      statement: `update quorate.connections set ${column} = true where id = '${made.connectionId}'`,
      page: [`/dashboard/plugins/${made.connectionId}`, { intent, reason: REASON }],
    };
  },
  async workspace_network() {
    const { id } = workspace;
    await database.arrange(id, async (client) => {
      await client.query(`update quorate.workspaces set private_network = '["127.0.0.1"]' where id = $1`, [id]);
    });
    return {
      by: workspace.admin,
      input: { network: ['127.0.0.0/8'], instance: ['127.0.0.0/8', '::1'], reason: REASON },
      happened: async () => (await one('select private_network as n from quorate.workspaces where id = $1', [id])).n[0] !== '127.0.0.1',
      statement: `update quorate.workspaces set private_network = '"instance"' where id = '${id}'`,
      page: ['/dashboard/admin/tenant', { intent: 'network', privateNetwork: '127.0.0.1\n::1', reason: REASON }],
    };
  },
  async workspace_checkpoints() {
    const { id } = workspace;
    const before = { checkpoints: { mail: true, webhook: 'https://keeper.example/a-secret' } };
    await database.arrange(id, async (client) => {
      await client.query('update quorate.workspaces set settings = settings || $2 where id = $1', [id, JSON.stringify(before)]);
    });
    return {
      by: workspace.admin,
      input: { mail: true, webhook: 'https://elsewhere.example/another', reason: REASON },
      happened: async () =>
        (await one("select settings #>> '{checkpoints,webhook}' as w from quorate.workspaces where id = $1", [id])).w !==
        before.checkpoints.webhook,
      statement: `update quorate.workspaces set settings = settings - 'checkpoints' where id = '${id}'`,
      page: ['/dashboard/admin/tenant', { intent: 'checkpoints', checkpointMail: 'on', checkpointWebhook: '', reason: REASON }],
    };
  },
  async workspace_sign_in() {
    const { id } = workspace;
    const provider = newId();
    await database.arrange(id, async (client) => {
      await client.query(
        `insert into quorate.identity_providers (id, workspace_id, name, issuer, client_id, sealed_secret, tested_at)
         values ($1, $2, 'Company', 'https://id.example', 'quorate', 'sealed', now())`,
        [provider, id],
      );
    });
    return {
      by: workspace.admin,
      input: { provider, enforced: false, exempt: [], reason: REASON },
      happened: async () =>
        (await one("select sign_in #>> '{provider,id}' as p from quorate.workspaces where id = $1", [id])).p === provider,
      statement: `update quorate.workspaces w set sign_in = jsonb_build_object('provider', quorate.state_of_provider(i), 'enforced', false,
        'exempt', '[]'::jsonb) from quorate.identity_providers i where i.id = '${provider}' and w.id = '${id}'`,
      page: ['/dashboard/admin/sign-in', { provider, reason: REASON }],
    };
  },
  async workspace_sessions() {
    const { id } = workspace;
    const strict = { hours: 8, idleMinutes: 30, factor: false, networks: [] };
    await database.arrange(id, async (client) => {
      await client.query('update quorate.workspaces set session_rules = $2 where id = $1', [id, JSON.stringify(strict)]);
    });
    return {
      by: workspace.admin,
      input: { rules: { ...strict, hours: 9 }, address: '198.51.100.1', reason: REASON },
      happened: async () => (await one("select session_rules ->> 'hours' as h from quorate.workspaces where id = $1", [id])).h !== '8',
      statement: `update quorate.workspaces set session_rules = jsonb_set(session_rules, '{hours}', 'null') where id = '${id}'`,
      page: ['/dashboard/admin/sign-in', { intent: 'sessions', hours: '9', idleMinutes: '30', networks: '', reason: REASON }],
    };
  },
  async workspace_groups() {
    const { id } = workspace;
    return {
      by: workspace.admin,
      input: { groups: { 'All staff': ['user', 'approver'] }, reason: REASON },
      happened: async () => (await one('select count(*)::int as n from quorate.group_roles where workspace_id = $1', [id])).n === 1,
      statement: `insert into quorate.group_roles (workspace_id, group_name, roles) values ('${id}', 'All staff', '{approver}')`,
      page: ['/dashboard/admin/sign-in/groups', { 'group-0': 'All staff', 'roles-0': 'approver', reason: REASON }],
    };
  },
  async connection_credential() {
    const made = await fixture.makeCapability(workspace, { name: 'transfer' });
    await database.arrange(workspace.id, async (client) => {
      await client.query("update quorate.connections set sealed_credential = 'the old one' where id = $1", [made.connectionId]);
    });
    return {
      by: workspace.admin,
      input: { connection: { id: made.connectionId, name: made.slug }, sealed: Buffer.from('the new one'), reason: REASON },
      happened: async () =>
        String((await one('select sealed_credential as c from quorate.connections where id = $1', [made.connectionId])).c) !==
        'the old one',
      statement: `update quorate.connections set sealed_credential = 'mine' where id = '${made.connectionId}'`,
      page: [`/dashboard/plugins/${made.connectionId}/rotate`, { token: 'another', reason: REASON }],
    };
  },
  async inventory_risk() {
    const { id } = await perform(createAgent, ...act(workspace.builder), {
      about: { name: 'Sorter', description: '', tags: [] },
      document: EMPTY_AGENT,
    });
    const record = { owner: null, purpose: '', dataClasses: [], reviewOn: null };
    await perform(recordAgent, ...act(workspace.admin), { ...record, agent: id, riskClass: 'high' });
    return {
      by: workspace.admin,
      input: { ...record, agent: id, riskClass: 'limited', reason: REASON },
      happened: async () => (await one('select risk_class from quorate.agent_records where agent_id = $1', [id])).risk_class === 'limited',
      statement: `select quorate.put_agent_record('${id}', '${JSON.stringify({ ...record, riskClass: 'limited' })}')`,
      page: [`/dashboard/agents/inventory/${id}`, { riskClass: 'limited', reason: REASON }],
    };
  },
  async evidence_export() {
    const { id, admin } = workspace;
    const exported = { kind: 'log', from: 0, until: 9 } as const;
    const grants = async () =>
      (await one('select count(*)::int as n from quorate.evidence_grants where workspace_id = $1 and ends_at > now()', [id])).n;
    return {
      by: admin,
      input: { export: exported, reason: REASON },
      happened: async () => (await grants()) === 1,
      statement: `select quorate.take_evidence('${JSON.stringify(exported)}', '0')`,
      page: ['/dashboard/audit/export?kind=log&from=0&until=9', { reason: REASON }],
    };
  },
  async halt_lift() {
    await perform(orderHalt, ...act(workspace.admin), { reason: 'Stop' });
    return {
      by: workspace.admin,
      input: { reason: REASON, title: 'Lift it' },
      happened: async () => (await one('select halted_at from quorate.workspaces where id = $1', [workspace.id])).halted_at === null,
      statement: `update quorate.workspaces set halted_at = null, halted_by = null, halt_reason = null where id = '${workspace.id}'`,
      page: ['/dashboard/admin/halt', { command: 'release', reason: REASON, password: 'not known here' }],
    };
  },
};
/** Puts whichever version there is into force. */
const inForce = (id: string) =>
  `update quorate.artifacts a set status = 'active', published_version_id = (select v.id from quorate.versions v
    where v.artifact_id = a.id order by v.number desc limit 1) where a.id = '${id}'`;

/** The question that waits, and the function with which a person answers it. */
async function question(kind: Weakening): Promise<{ id: string; digest: string; answer: string; table: string }> {
  const isHalt = kind === 'halt_lift';
  const table = isHalt ? 'quorate.approvals' : 'quorate.control_changes';
  const { id, digest } = await one(
    `select id, ${isHalt ? 'action_digest' : 'digest'} as digest from ${table} where workspace_id = $1 and status = 'pending'`,
    [workspace.id],
  );
  return { id, digest, table, answer: isHalt ? 'quorate.vote_approval' : 'quorate.vote_control_change' };
}
type Question = Awaited<ReturnType<typeof question>>;
const answer = async (by: TestMember, { id, digest, answer: name }: Question, proved = true) => {
  if (proved) await database.prove(by, id);
  return desk.statement(by, `select ${name}('${id}', 'approve', '', '${digest}')`);
};

/** No member can change a due date: the test does it as the owner of the table. */
async function expire({ id, table }: Question): Promise<void> {
  await database.arrange(workspace.id, async (client) => {
    await client.query(`alter table ${table} disable trigger user`);
    await client.query(`update ${table} set due_at = now() - interval '1 second' where id = $1`, [id]);
    await client.query(`alter table ${table} enable trigger user`);
  });
}

test('the list of use cases names every kind of weakening', () => {
  expect([...new Set(ways.map(([kind]) => kind))].sort()).toEqual([...CONTROL_KINDS, 'halt_lift'].sort());
});

describe.each(ways.map(([kind, command]) => [kind, command.actions[0], command] as const))('%s: %s', (kind, _, command) => {
  const ask = async (): Promise<Arranged> => {
    const arranged = await ARRANGE[kind](command);
    await perform(command, ...act(arranged.by), arranged.input);
    expect(await arranged.happened()).toBe(false);
    return arranged;
  };

  test('happens when a second person agrees, once', async () => {
    const { happened } = await ask();
    const asked = await question(kind);
    expect(await answer(workspace.approver, asked)).toBe('done');
    expect(await happened()).toBe(true);
    // no secret outlives its question
    expect(await one('select count(*)::int as kept from quorate.control_secrets where workspace_id = $1', [workspace.id])).toEqual({
      kept: 0,
    });
    expect(await answer(workspace.approver, asked)).toBe('QV008');
  });

  test('does not happen by whoever asked, by the wrong one, without a proof of who it is, of another digest or too late', async () => {
    const { by, happened } = await ask();
    const asked = await question(kind);
    // whoever asks, with every role that there is
    await desk.setRoles(by, ['user', 'builder', 'approver', 'admin']);
    expect(await answer(by, asked)).toBe('QV004');
    expect(['QV002', 'QV004', 'QV014']).toContain(await answer(workspace.builder, asked));
    expect(await answer(workspace.approver, asked, false)).toBe('QV011');
    expect(await answer(workspace.approver, { ...asked, digest: 'f'.repeat(64) })).toBe('QV007');
    await desk.setRoles(workspace.approver, ['user']);
    expect(['QV001', 'QV002']).toContain(await answer(workspace.approver, asked));
    await desk.setRoles(workspace.approver, ['user', 'approver']);
    await expire(asked);
    expect(await answer(workspace.approver, asked)).toBe('QV009');
    expect(await happened()).toBe(false);
  });

  test('does not happen by its page or by a data request alone, which ask', async () => {
    const { by, happened, page } = await ARRANGE[kind](command);
    const answered = await post(by, page);
    // the second finds that the first has asked; a halt is lifted with the password alone, which nobody has here
    expect((await post(by, [`${page[0]}.data`, page[1]])).status).not.toBe(200);
    expect(answered.headers.get('location') ?? '').toMatch(kind === 'halt_lift' ? /^$/ : /^\/dashboard\/changes\//);
    expect(await happened()).toBe(false);
  });

  test('does not happen by the login past the question, by a key, nor where who asked has lost their role', async () => {
    const { by, input, happened, statement } = await ask();
    expect(['QP005', '42501']).toContain(await desk.statement(by, statement));
    expect(command.scope).toBeNull();
    const [principal, deps] = act(by);
    await expect(perform(command, { ...principal, scopes: [...API_KEY_SCOPES] }, deps, input)).rejects.toMatchObject({ code: 'forbidden' });
    const asked = await question(kind);
    const vote = `select ${asked.answer}('${asked.id}', 'approve', '', '${asked.digest}')`;
    expect(await desk.statementByKey(workspace.approver, vote)).toBe('QV003');
    await desk.setRoles(by, ['user']);
    expect(await answer(workspace.approver, asked)).toBe('QV015');
    expect(await happened()).toBe(false);
    expect(await rolesOf(other)).toEqual(['user', 'admin']);
  });
});

/** Answers that say no: neither done, nor broken. */
const isRefused = (statuses: readonly number[]) => statuses.every((status) => status >= 400 && status < 500);

/** Kinds of which votes by page are tried in the usual run: a change, and the halt, which is an approval; in full all are. */
const VOTED_BY_PAGE: readonly string[] = ['policy_pause', 'halt_lift'];
const votedByPage = ways.filter(([kind]) => process.env.QUORATE_TEST_FULL || VOTED_BY_PAGE.includes(kind));

describe.each(votedByPage.map(([kind, command]) => [kind, command.actions[0], command] as const))('%s by page: %s', (kind, _, command) => {
  test('is agreed to by a second person with their password and the digest that they saw, in time, once', async () => {
    const { by, input, happened } = await ARRANGE[kind](command);
    await perform(command, ...act(by), input);
    const asked = await question(kind);
    const page = `${kind === 'halt_lift' ? '/dashboard/approvals' : '/dashboard/changes'}/${asked.id}`;
    const votes = async (voter: TestMember, more: Record<string, string> = {}) => {
      const form = { vote: 'approve', reason: '', digest: asked.digest, password: BENCH_PASSWORD, ...more };
      const sent = [await post(voter, [page, form]), await post(voter, [`${page}.data`, form])];
      expect(await happened()).toBe(false);
      return sent.map(({ status }) => status);
    };
    await desk.setRoles(by, ['user', 'builder', 'approver', 'admin']);
    expect(await votes(by)).toSatisfy(isRefused);
    expect(await votes(workspace.builder === by ? other : workspace.builder, { digest: 'f'.repeat(64) })).toSatisfy(isRefused);
    expect(await votes(workspace.approver, { password: 'another' })).toSatisfy(isRefused);
    expect(await votes(workspace.approver, { password: '' })).toSatisfy(isRefused);
    expect(await votes(workspace.approver, { digest: 'f'.repeat(64) })).toSatisfy(isRefused);
    await desk.setRoles(workspace.approver, ['user']);
    expect(await votes(workspace.approver)).toSatisfy(isRefused);
    await desk.setRoles(workspace.approver, ['user', 'approver']);
    const agreed = await post(workspace.approver, [page, { vote: 'approve', digest: asked.digest, password: BENCH_PASSWORD }]);
    expect([agreed.status, await happened()]).toEqual([303, true]);
    expect((await post(workspace.approver, [page, { vote: 'approve', digest: asked.digest, password: BENCH_PASSWORD }])).status).not.toBe(
      303,
    );
  });

  test('is agreed to by nobody once it is past due', async () => {
    const { by, input, happened } = await ARRANGE[kind](command);
    await perform(command, ...act(by), input);
    const asked = await question(kind);
    await expire(asked);
    const page = `${kind === 'halt_lift' ? '/dashboard/approvals' : '/dashboard/changes'}/${asked.id}`;
    const late = await post(workspace.approver, [page, { vote: 'approve', digest: asked.digest, password: BENCH_PASSWORD }]);
    expect([late.status >= 400 && late.status < 500, await happened()]).toEqual([true, false]);
  });
});

/** A form that somebody sends, to the built pages. */
async function post(by: TestMember, [path, form]: Arranged['page']): Promise<Response> {
  const cookie = `${sessionCookie({ userId: by.id, sessionId: by.sessionId })}; workspace=${workspace.id}`;
  const headers = { cookie, 'accept-language': 'en', origin: PAGES_ORIGIN };
  const request = new Request(`${PAGES_ORIGIN}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  return createRequestHandler(pages, 'production')(request, contexts());
}
