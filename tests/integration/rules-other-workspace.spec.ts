/** Rule 4: no address of the app area, as a page, as its data or as a form, reaches another workspace's rows. */
import { randomUUID } from 'node:crypto';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import routes from '#app/routes.ts';
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
  const builder = await signInAs(instance.server(), 'builder');
  const run = await until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));
  const approval = await until('its question', async () => {
    const [row] = await instance.query<{ id: string }>('select id from quorate.approvals where run_id = $1', [run]);
    return row?.id;
  });
  const [row] = await instance.query<Record<string, string>>(
    `select (select id from quorate.connections where workspace_id = w.id and slug = 'counting-peer') as connection,
       (select id from quorate.artifacts where workspace_id = w.id and kind = 'policy' limit 1) as policy,
       (select id from quorate.audit_events where workspace_id = w.id and resource_id = $2 limit 1) as event,
       (select max(size)::text from quorate.checkpoints where workspace_id = w.id) as size,
       (select id from quorate.decisions where workspace_id = w.id limit 1) as decision,
       (select user_id from quorate.members where workspace_id = w.id and 'auditor' = any (roles)) as user
     from quorate.workspaces w where w.id = $1`,
    [workspace.workspaceId, run],
  );
  const nobody = { key: randomUUID(), number: '1', guide: 'no-such-guide', plan: 'no-such-plan', server: 'no-such-server' };
  ids = { ...nobody, ...row, workflow, run, approval, workspace: workspace.workspaceId };
  ids = { ...row, workflow, run, approval, workspace: workspace.workspaceId, guide: 'no-such-guide', trigger: randomUUID() };
  stranger = await signUp();
}, 180_000);
afterAll(async () => {
  await instance?.remove();
  await peer?.stop();
}, 60_000);

/** Somebody from outside, through the product's own doors: with a workspace of their own, where they are admin and builder. */
async function signUp(): Promise<Person> {
  const browser = openBrowser(instance.origin);
  await (await browser.post('/auth?mode=sign-up', { name: 'Stranger', ...STRANGER })).body?.cancel();
  const link = await until('the mail', async () => {
    const mails = (await (await browser.get('/dev/mailbox.json')).json()) as { to: string; text: string }[];
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
        if (id === undefined) throw new Error(`name something of the other workspace for :${name} of ${path}`);
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
    'connections',
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
      // a checkpoint's number is no secret: it may name one of their own
      if (!asked.includes('/checkpoints/')) expect(answer.status, asked).toBeGreaterThanOrEqual(400);
      expect(answer.status, asked).toBeLessThan(500);
    }
  }
}, 120_000);

test('no form of any address changes a row of another workspace, whatever it says it belongs to', async () => {
  const before = await standing();
  const [own] = await instance.query<{ id: string }>('select workspace_id as id from quorate.members where email = $1', [STRANGER.email]);
  const form = {
    ...{ _mode: 'live', _key: randomUUID(), _revision: '0', revision: '0', vote: 'approve', reason: 'because', digest: 'x', confirm: 'on' },
    ...{ name: 'taken over', intent: 'delete', command: 'approve', roles: 'admin', do: 'delete' },
  };
  for (const path of foreignAddresses()) {
    for (const belongs of [own?.id ?? '', workspace.workspaceId]) {
      for (const asked of [path, `${path}.data`]) {
        const answer = await stranger.post(asked, { ...form, workspace: belongs });
        const text = await answer.text();
        expect(text, asked).not.toContain(CANARY);
        expect(answer.status, `${asked} for ${belongs}`).toBeLessThan(500);
      }
    }
  }
  expect(await standing()).toEqual(before);
}, 180_000);

test('a cookie that names another workspace opens one’s own', async () => {
  const answer = await fetch(`${instance.origin}/dashboard/runs/${ids.run}`, {
    redirect: 'manual',
    headers: { cookie: `${stranger.cookie()}; workspace=${workspace.workspaceId}` },
  });
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain(CANARY);
});
