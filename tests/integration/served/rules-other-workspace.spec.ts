/** No address of the app area, as a page, as its data or as a form, reaches another workspace's rows. */
import { randomUUID } from 'node:crypto';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import routes from '#app/routes.ts';
import { addAgent } from '#tests/integration/support/add-agent.ts';
import { caughtMails } from '#tests/support/caught-mails.ts';
import { type Arranged, arrangeIn, work } from '#tests/survival/support/arrange.ts';
import { type CountingPeer, startCountingPeer } from '#tests/survival/support/counting-peer.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { startRunBy } from '#tests/survival/support/load.ts';
import { openBrowser, type Person, signIn, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const STRANGER = { email: 'stranger@example.com', password: 'a password of a stranger' };
/** Stands in names, inputs and questions of the workspace that the stranger is not in. */
const CANARY = 'canary-of-the-demo';

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let stranger: Person;
let ids: Record<string, string>;

beforeAll(async () => {
  peer = await startCountingPeer();
  instance = await createInstance();
  await instance.start();
  workspace = await arrangeIn(instance);
  await workspace.connect('counting-peer', `${peer.origin}/mcp`);
  const workflow = await workspace.addWorkflow([
    { ...work('a'), name: CANARY },
    { id: 'ask', name: CANARY, kind: 'approval', question: CANARY, risk: 'low' },
  ]);
  const agent = await addAgent(instance, workspace.workspaceId, CANARY);
  const builder = await signInAs(instance.server(), 'builder');
  const run = await until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));
  const approval = await until('its question', async () => {
    const [row] = await instance.query<{ id: string }>('select id from quorate.approvals where run_id = $1', [run]);
    return row?.id;
  });
  const key = await builder.post('/dashboard/account/api-keys/new', {
    workspace: workspace.workspaceId,
    ...{ name: CANARY, days: '30', scopes: 'runs:read', id: randomUUID() },
  });
  await key.body?.cancel();
  const [row] = await instance.query<Record<string, string>>(
    `select (select id from quorate.api_keys where workspace_id = w.id limit 1) as key,
       (select id from quorate.connections where workspace_id = w.id and slug = 'counting-peer') as connection,
       (select c.id from quorate.capabilities c join quorate.connections n on n.id = c.connection_id
         where n.workspace_id = w.id and n.slug = 'counting-peer' limit 1) as capability,
       (select id from quorate.artifacts where workspace_id = w.id and kind = 'policy' limit 1) as policy,
       (select id from quorate.audit_events where workspace_id = w.id and resource_id = $2 limit 1) as event,
       (select max(size)::text from quorate.checkpoints where workspace_id = w.id) as size,
       (select id from quorate.decisions where workspace_id = w.id limit 1) as decision,
       (select user_id from quorate.members where workspace_id = w.id and 'auditor' = any (roles)) as user
     from quorate.workspaces w where w.id = $1`,
    [workspace.workspaceId, run],
  );
  const none = {
    guide: 'no-such-guide',
    plan: 'no-such-plan',
    server: 'no-such-server',
    regulation: 'no-such-law',
    act: 'report',
    control: 'no-such-control',
    list: 'workflows',
    rule: 'high_risk_finding',
  };
  const nobody = {
    key: randomUUID(),
    passkey: randomUUID(),
    token: randomUUID(),
    trigger: randomUUID(),
    request: randomUUID(),
    number: '1',
    example: '1',
    ...none,
  };
  const task = randomUUID();
  const file = randomUUID();
  const registry = randomUUID();
  const gateway = randomUUID();
  const tool = randomUUID();
  const change = randomUUID();
  const incident = randomUUID();
  const provider = randomUUID();
  await instance.query(
    `with asked as (insert into quorate.human_tasks (id, workspace_id, run_id, step_path, title, workflow, question, fields, role, due_at)
       values ($1, $2, $3, 'form', $4, $4, $4, '[]', 'builder', now() + interval '1 day') returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from asked`,
    [task, workspace.workspaceId, run, CANARY],
  );
  await instance.query(
    `insert into quorate.run_files (id, workspace_id, run_id, step_path, owner_id, name, media_type, size, sha256, stored_name)
       select $1, $2, $3, 'document', initiator_id, $4, 'text/csv', 1, repeat('a', 64), $4 from quorate.runs where id = $3`,
    [file, workspace.workspaceId, run, CANARY],
  );
  await instance.query(
    `with listed as (insert into quorate.registries (id, workspace_id, name, address, servers, read_at)
       values ($1, $2, $3, 'https://registry.example', '[]', now()) returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from listed`,
    [registry, workspace.workspaceId, CANARY],
  );
  await instance.query(
    `with kept as (insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'gateway', $3, $4, 'active') returning id),
       frozen as (insert into quorate.versions (id, workspace_id, artifact_id, document, content_hash, author_id)
         select gen_random_uuid(), $2, id, json_build_object('format', 'quorate.workflow/1', 'subject', $3::text, 'steps', '[]'::json), $3, $4
         from kept returning id),
       opened as (insert into quorate.gateways (artifact_id, workspace_id, address) select id, $2, 'canary' from kept returning artifact_id),
       added as (insert into quorate.gateway_tools (id, workspace_id, gateway_id, capability_id, name, fingerprint, version_id)
         select $5, $2, o.artifact_id, $6, 'canary', 'f', f.id from opened o, frozen f returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from added`,
    [gateway, workspace.workspaceId, CANARY, row?.user, tool, row?.capability],
  );
  await instance.query(
    `with asked as (insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
       select $1, $2, 'policy_pause', $3, s.text::json, encode(sha256(convert_to(s.text, 'UTF8')), 'hex'), $4, now() + interval '1 day'
       from (select $5 as text) s returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from asked`,
    [
      change,
      workspace.workspaceId,
      row?.policy,
      row?.user,
      canonicalJson({
        after: { status: 'inactive', versionId: null },
        before: { status: 'active', versionId: null },
        kind: 'policy_pause',
        reason: CANARY,
        resource: row?.policy ?? '',
        workspace: workspace.workspaceId,
      }),
    ],
  );
  await instance.query(
    `with recorded as (insert into quorate.incidents (id, workspace_id, number, title, happened, severity, noticed_at, recorded_by)
       values ($1, $2, 1, $3, $3, 'low', now(), $4) returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from recorded`,
    [incident, workspace.workspaceId, CANARY, row?.user],
  );
  await instance.query(
    `with named as (insert into quorate.identity_providers (id, workspace_id, name, issuer, client_id, sealed_secret)
       values ($1, $2, $3, 'https://id.example', $3, 'sealed') returning 1)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2::text from named`,
    [provider, workspace.workspaceId, CANARY],
  );
  ids = {
    ...nobody,
    ...row,
    workflow,
    agent,
    run,
    approval,
    task,
    file,
    registry,
    gateway,
    tool,
    change,
    incident,
    provider,
    workspace: workspace.workspaceId,
  };
  stranger = await signUp();
}, 180_000);
afterAll(async () => {
  await instance?.remove();
  await peer?.stop();
});

/** Someone from outside, through the product's own doors: with a workspace of their own, where they are admin and builder. */
async function signUp(): Promise<Person> {
  const browser = openBrowser(instance.origin);
  await (await browser.post('/auth?mode=sign-up', { name: 'Stranger', ...STRANGER })).body?.cancel();
  const link = await until('the mail', async () => {
    const mails = await caughtMails(instance);
    return /\/auth\/confirm\?\S+/.exec(mails.find(({ to }) => to === STRANGER.email)?.text ?? '')?.[0];
  });
  await (await browser.post(link, { form: 'link' })).body?.cancel();
  return signIn(instance.origin, STRANGER);
}

function* addresses(entries: readonly RouteConfigEntry[], above = ''): Generator<string> {
  for (const entry of entries) {
    const path = [above, entry.path].filter((part) => part !== undefined && part !== '').join('/');
    if (entry.children === undefined) yield `/${path}`;
    else yield* addresses(entry.children, path);
  }
}

/** Every address of the app area that names something, with what it names in the other workspace. */
function foreignAddresses(): string[] {
  const named = [...addresses(routes)].filter((path) => path.startsWith('/dashboard') && path.includes(':'));
  return named.map((path) =>
    path
      .replaceAll(/:(\w+)/g, (_, name: string) => {
        const id = ids[name];
        if (id === undefined)
          throw new Error(`add to \`ids\` in rules-other-workspace.spec.ts what :${name} of ${path} is in the other workspace`);
        return id;
      })
      .replace('*', 'a'),
  );
}

/** Everything that the other workspace has, as one digest a table. */
async function standing(): Promise<unknown> {
  const tables = [
    'artifacts',
    'versions',
    'drafts',
    'runs',
    'steps',
    'decisions',
    'approvals',
    'approval_votes',
    'approval_comments',
    'connections',
    'registries',
    'gateways',
    'gateway_tools',
    'identity_providers',
    'saml_keys',
    'verified_domains',
    'group_roles',
    'incidents',
    'incident_entries',
    'capabilities',
    'members',
    'invitations',
  ];
  const digest = (table: string) =>
    `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from quorate.${table} t where t.workspace_id = $1) as ${table}`;
  return (await instance.query(`select ${tables.map(digest).join(', ')}`, [workspace.workspaceId]))[0];
}

test('the owner sees what the stranger shall not', async () => {
  const auditor = await signInAs(instance.server(), 'auditor');
  for (const path of [`/dashboard/runs/${ids.run}`, `/dashboard/approvals/${ids.approval}`]) {
    const answer = await auditor.get(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(CANARY);
  }
});

test('no address shows a row of another workspace, as a page or as its data', async () => {
  const found = foreignAddresses();
  expect(found.length).toBeGreaterThan(20);
  for (const path of found) {
    for (const asked of [path, `${path}.data`]) {
      const answer = await stranger.get(asked);
      const text = await answer.text();
      expect(text, asked).not.toContain(CANARY);
      // a checkpoint's number is no secret: it may name one of their own, as the name of a list does
      if (!asked.includes('/checkpoints/') && !asked.includes('/tables/')) expect(answer.status, asked).toBeGreaterThanOrEqual(400);
      expect(answer.status, asked).toBeLessThan(500);
    }
  }
}, 120_000);

test('no form of any address changes a row of another workspace, whatever it says it belongs to', async () => {
  const before = await standing();
  const [own] = await instance.query<{ id: string }>('select workspace_id as id from quorate.members where email = $1', [STRANGER.email]);
  const form = {
    ...{ _mode: 'live', _key: randomUUID(), _revision: '0', revision: '0', vote: 'approve', reason: 'because', digest: 'x', confirm: 'on' },
    ...{ name: 'taken over', intent: 'delete', command: 'approve', roles: 'admin', do: 'delete', act: 'claim' },
  };
  for (const path of foreignAddresses()) {
    // As a page and as data, each saying that it belongs to one of the two: both lead to the same action.
    for (const [asked, belongs] of [[path, workspace.workspaceId] as const, [`${path}.data`, own?.id ?? ''] as const]) {
      const answer = await stranger.post(asked, { ...form, workspace: belongs });
      const text = await answer.text();
      expect(text, asked).not.toContain(CANARY);
      expect(answer.status, `${asked} for ${belongs}`).toBeLessThan(500);
    }
  }
  expect(await standing()).toEqual(before);
}, 180_000);

test('nothing that is listed, searched, exported or streamed to the stranger is of another workspace', async () => {
  const open = [...addresses(routes)].filter((path) => path.startsWith('/dashboard') && !path.includes(':') && !path.includes('*'));
  const tables = ['time', 'workflows', 'agents', 'models', 'steps', 'errors'].map(
    (table) => `/dashboard/analytics/table.csv?table=${table}`,
  );
  for (const path of [...open, ...open.map((one) => `${one}?q=${CANARY}`), ...tables]) {
    const answer = await stranger.get(path);
    expect(answer.status, path).toBeLessThan(500);
    if (answer.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      await answer.body?.cancel();
      continue;
    }
    const text = await answer.text();
    // What was asked for is shown in the field it was typed into.
    for (const foreign of [CANARY, ids.run, ids.approval, workspace.workspaceId])
      if (!(foreign === CANARY && path.includes('?q='))) expect(text.includes(foreign ?? ''), `${path}: ${foreign}`).toBe(false);
  }
}, 120_000);

test('the stream of the stranger says nothing of another workspace', async () => {
  const answer = await stranger.get('/dashboard/notifications/events');
  const reader = answer.body?.getReader();
  const first = Buffer.from((await reader?.read())?.value ?? []).toString();
  await reader?.cancel();
  expect(first).toContain('retry:');
  expect(first).not.toContain(CANARY);
});

test('what is of another workspace takes as long to be not found as what is nowhere', async () => {
  const times: Record<'foreign' | 'nowhere', number[]> = { foreign: [], nowhere: [] };
  const ask = async (of: keyof typeof times, id: string) => {
    const startedAt = performance.now();
    const answer = await stranger.get(`/dashboard/runs/${id}.data`);
    await answer.arrayBuffer();
    times[of].push(performance.now() - startedAt);
    expect(answer.status).toBe(404);
  };
  // The quickest answers: what a busy machine adds to the others says nothing of the rows. On a busier one it takes more rounds until each has
  // had a quiet moment; where one of them does more work, no round makes it as quick as the other.
  const apart = () => Math.max(...quickest()) / Math.min(...quickest());
  const quickest = () => [Math.min(...times.foreign), Math.min(...times.nowhere)];
  for (let round = 0; round < 15 || (apart() >= 2 && round < 300); round += 1) {
    await ask('foreign', ids.run ?? '');
    await ask('nowhere', randomUUID());
  }
  expect(apart()).toBeLessThan(2);
});

test('a run of another workspace is none of those that are selected, cancelled or tried again', async () => {
  const [own] = await instance.query<{ workspace: string }>('select workspace_id as workspace from quorate.members where email = $1', [
    STRANGER.email,
  ]);
  const before = await standing();
  for (const act of ['cancel', 'retry']) {
    const path = `/dashboard/runs/several?do=${act}`;
    const page = await stranger.get(`${path}&run=${ids.run}&run=nonsense`);
    expect(page.status).toBe(400);
    expect(await page.text()).not.toContain(CANARY);
    const answer = await stranger.post(path, { workspace: own?.workspace ?? '', run: `${ids.run} ${randomUUID()}` });
    await answer.body?.cancel();
    expect(answer.status).toBe(303);
    const refused = await stranger.post(path, { workspace: own?.workspace ?? '', run: 'nonsense' });
    await refused.body?.cancel();
    expect(refused.status).toBe(400);
  }
  expect(await standing()).toEqual(before);
});

test('fields that no form has change nothing, however they are written', async () => {
  const [own] = await instance.query<{ workspace: string; user: string }>(
    'select workspace_id as workspace, user_id as user from quorate.members where email = $1',
    [STRANGER.email],
  );
  const [other] = await instance.query<{ user: string }>('select user_id as user from quorate.members where workspace_id = $1 limit 1', [
    workspace.workspaceId,
  ]);
  if (own === undefined || other === undefined) throw new Error('the people are not there');
  const extra = {
    workspace_id: workspace.workspaceId,
    'workspace[id]': workspace.workspaceId,
    ...{ owner_id: other.user, user_id: other.user, id: ids.run ?? '', role: 'admin', is_admin: 'true', plan: 'enterprise' },
    ...{ status: 'active', published_version_id: ids.run ?? '', created_at: '2000-01-01', 'roles[0]': 'root', halted_at: '' },
    ...{ constructor: 'x', 'constructor.prototype.admin': '1', __proto__x: '1', '__proto__[admin]': '1', 'profile.role': 'admin' },
  };
  const before = await standing();
  const forms: [string, Record<string, string>][] = [
    ['/dashboard/workflows/new', { name: 'Fuzzed', description: '' }],
    ['/dashboard/policies/new', { name: 'Fuzzed' }],
    ['/dashboard/account/profile', { name: 'Fuzzed' }],
    ['/dashboard/account/preferences', { timeZone: 'UTC', language: 'en' }],
    ['/dashboard/account/api-keys/new', { name: 'Fuzzed', days: '30', scopes: 'runs:read' }],
    ['/dashboard/admin/members/invite', { email: 'fuzzed@example.com', roles: 'user' }],
  ];
  for (const [path, form] of forms) {
    const answer = await stranger.post(path, { ...extra, ...form, workspace: own.workspace });
    await answer.body?.cancel();
    expect(answer.status, path).toBeLessThan(500);
  }
  expect(await standing()).toEqual(before);
  const [made] = await instance.query<Record<string, unknown>>(
    `select (select jsonb_agg(distinct jsonb_build_array(a.workspace_id, a.owner_id, a.status, a.published_version_id is null, a.created_at > now() - interval '1 hour'))
         from quorate.artifacts a where a.name = 'Fuzzed') as artifacts,
       (select p.role from public.profiles p where p.id = $1) as role,
       (select jsonb_agg(m.roles) from quorate.members m where m.user_id = $1) as roles,
       (select w.plan from quorate.workspaces w where w.id = $2) as plan,
       (select count(*) from quorate.api_keys k where k.name = 'Fuzzed' and k.user_id <> $1) as foreign_keys,
       (select jsonb_agg(i.roles) from quorate.invitations i where i.email = 'fuzzed@example.com') as invited`,
    [own.user, own.workspace],
  );
  expect(made).toMatchObject({
    artifacts: [[own.workspace, own.user, 'inactive', true, true]],
    role: 'user',
    roles: [['user', 'builder', 'admin']],
    foreign_keys: 0,
  });
  expect(made?.plan).not.toBe('enterprise');
  expect([null, [['user']]]).toContainEqual(made?.invited);
});

test('a cookie that names another workspace opens one’s own', async () => {
  const answer = await fetch(`${instance.origin}/dashboard/runs/${ids.run}`, {
    redirect: 'manual',
    headers: { cookie: `${stranger.cookie()}; workspace=${workspace.workspaceId}` },
  });
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain(CANARY);
});
