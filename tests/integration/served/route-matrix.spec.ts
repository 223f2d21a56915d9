/**
 * Route × method × role: each address of routes.ts answers each person as its rule in route-matrix.ts says, as a page and as data. What
 * someone of another workspace gets at each of them is rules-other-workspace.spec.ts.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#app/contracts/people.ts';
import routes from '#app/routes.ts';
import { addAgent } from '#tests/integration/support/add-agent.ts';
import { expectClosedToOrigins } from '#tests/integration/support/closed-to-origins.ts';
import { type Address, addressesOf, admits, RULES } from '#tests/integration/support/route-matrix.ts';
import { caughtMails } from '#tests/support/caught-mails.ts';
import { arrangeIn, work } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { startRunBy } from '#tests/survival/support/load.ts';
import { openBrowser, type Person, signIn, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

type Asker = { name: string; roles: readonly Role[] | null; cookie: string };

let instance: Instance;
let people: Asker[];
let ids: Record<string, string>;
const addresses = [...addressesOf(routes)];

async function signUp(email: string): Promise<Person> {
  const browser = openBrowser(instance.origin);
  const password = 'a password of a newcomer';
  await (await browser.post('/auth?mode=sign-up', { name: 'Newcomer', email, password })).body?.cancel();
  const link = await until('the mail', async () => {
    const mails = await caughtMails(instance);
    return /\/auth\/confirm\?\S+/.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[0];
  });
  await (await browser.post(link, { form: 'link' })).body?.cancel();
  return signIn(instance.origin, { email, password });
}

beforeAll(async () => {
  instance = await createInstance();
  await instance.start();
  const workspace = await arrangeIn(instance);
  const workflow = await workspace.addWorkflow([
    { ...work('a') },
    { id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' },
  ]);
  const agent = await addAgent(instance, workspace.workspaceId, 'Helper');
  const plain = await signUp('plain@example.com');
  await instance.query(
    `with added as (
       insert into quorate.members (workspace_id, user_id, roles, name, email)
       select $1, u.id, array['user'], 'Plain', u.email from auth.users u where u.email = 'plain@example.com' returning user_id)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
     select $2, $1, 'system', 'member.added', 'member', user_id::text from added`,
    [workspace.workspaceId, randomUUID()],
  );
  const here = `workspace=${workspace.workspaceId}`;
  const member = async (role: 'builder' | 'approver' | 'auditor' | 'admin'): Promise<Asker> => ({
    name: role,
    roles: ['user', role],
    cookie: `${here}; ${(await signInAs(instance.server(), role)).cookie()}`,
  });
  const builder = await signInAs(instance.server(), 'builder');
  const run = await until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));
  const [row] = await instance.query<Record<string, string>>(
    `select (select id from quorate.connections where workspace_id = w.id limit 1) as connection,
       (select id from quorate.artifacts where workspace_id = w.id and kind = 'policy' limit 1) as policy,
       (select id from quorate.audit_events where workspace_id = w.id order by at limit 1) as event,
       (select user_id from quorate.members where workspace_id = w.id and 'auditor' = any (roles)) as user
     from quorate.workspaces w where w.id = $1`,
    [workspace.workspaceId],
  );
  // What there is none of is named by an id of nobody: not found is an answer to who may ask, too.
  ids = {
    approval: randomUUID(),
    change: randomUUID(),
    incident: randomUUID(),
    act: 'report',
    control: 'keys',
    task: randomUUID(),
    file: randomUUID(),
    decision: randomUUID(),
    key: randomUUID(),
    passkey: randomUUID(),
    token: 'no-such-token',
    number: '1',
    workspace: workspace.workspaceId,
    guide: 'connect-a-tool',
    list: 'workflows',
    plan: 'starter',
    capability: randomUUID(),
    regulation: 'gdpr',
    rule: 'no_such_rule',
    example: '1',
    trigger: randomUUID(),
    request: randomUUID(),
    hook: randomUUID(),
    step: 'paid',
    signature: 'no-such-signature',
    artifact: workflow,
    size: '1',
    width: '40',
    height: '40',
    server: 'no-such-server',
    registry: randomUUID(),
    gateway: randomUUID(),
    tool: randomUUID(),
    provider: randomUUID(),
    agent,
    ...row,
    workflow,
    run,
  };
  people = [
    { name: 'nobody', roles: null, cookie: '' },
    // Before the cookie that signing in has set: of two of one name the first counts.
    { name: 'user', roles: ['user'], cookie: `${here}; ${plain.cookie()}` },
    ...(await Promise.all((['builder', 'approver', 'auditor', 'admin'] as const).map(member))),
  ];
}, 180_000);
afterAll(async () => {
  await instance?.remove();
});

const addressOf = ({ path }: Address) =>
  path
    .replaceAll(/:(\w+)/g, (_, name: string) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`add an id for :${name} of ${path} to \`ids\` in route-matrix.spec.ts`);
      return id;
    })
    .replace('*', 'nowhere-at-all');

type Answer = { status: number; text: string; location: string | null; headers: Headers };
async function ask(who: Asker, method: 'GET' | 'HEAD' | 'POST', path: string, origin?: string): Promise<Answer> {
  const response = await fetch(`${instance.origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      cookie: who.cookie,
      ...(origin === undefined ? {} : { origin }),
      ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(method === 'POST' ? { body: 'nothing=here' } : {}),
    signal: AbortSignal.timeout(20_000),
  });
  // A stream of events has no end of its own.
  if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, text: '', location: null, headers: response.headers };
  }
  return { status: response.status, text: await response.text(), location: response.headers.get('Location'), headers: response.headers };
}

/** Screens have their data at the same address with `.data`; what is no screen answers on its own. */
const dataOf = (address: Address) => {
  const path = addressOf(address);
  return address.file.endsWith('.tsx') && path !== '/' ? `${path}.data` : path;
};
const turnedAway = ({ status, text, location }: Answer) =>
  status === 401 || ((status === 302 || status === 202) && (location ?? text).includes('/auth'));

/** Some at a time, each on its own connection. */
async function forEachAddress(work: (address: Address) => Promise<void>): Promise<void> {
  const waiting = [...addresses];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
    }),
  );
}

test('every address has a rule, and every rule an address', () => {
  const paths = addresses.map(({ path }) => path);
  const without = paths.filter((path) => !(path in RULES));
  const stale = Object.keys(RULES).filter((path) => !paths.includes(path));
  const unnamed = new Set(
    paths.flatMap((path) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)).filter((name) => !(name in ids)),
  );
  expect(
    [
      ...without.map(
        (path) => `add to RULES in support/route-matrix.ts, with who may read and who may post:  '${path}': rule('members', 'nobody'),`,
      ),
      ...stale.map((path) => `take out of RULES in support/route-matrix.ts, there is no such route:  '${path}'`),
      ...[...unnamed].map(
        (name) => `add to \`ids\` in route-matrix.spec.ts an id for :${name}, of a real row or of nobody:  ${name}: randomUUID(),`,
      ),
    ].join('\n'),
  ).toBe('');
});

const FULL = process.env.QUORATE_TEST_FULL !== undefined;
/** Whom a rule keeps out is asked always, whom it lets in twice: the first and the last. All of them in full. */
function othersHaveRead({ read }: (typeof RULES)[string], who: Asker): boolean {
  const letIn = people.filter(({ roles }) => roles !== null && admits(read, roles));
  return letIn.slice(1, -1).includes(who);
}

test('what is read: who may gets an answer, who may not is refused, and nobody is sent to sign in', { timeout: 300_000 }, async () => {
  await forEachAddress(async (address) => {
    for (const who of people) {
      const rule = RULES[address.path];
      if (rule === undefined || (!FULL && othersHaveRead(rule, who))) continue;
      const at = `GET ${address.path} by ${who.name}`;
      const asked = who.roles === null ? [addressOf(address), dataOf(address)] : [dataOf(address)];
      for (const path of asked) {
        const answer = await ask(who, 'GET', path);
        expect(answer.status, at).toBeLessThan(500);
        // What is answered to someone is kept by no shared cache, whatever it is.
        if (who.roles !== null && path.startsWith('/dashboard'))
          expect(answer.headers.get('Cache-Control'), at).toMatch(/private|no-store/);
        if (admits(rule.read, who.roles)) {
          expect([401, 403], at).not.toContain(answer.status);
          if (address.path !== '/auth/sign-out') expect(turnedAway(answer), at).toBe(false);
        } else if (who.roles === null) expect(turnedAway(answer), at).toBe(true);
        else expect([401, 403, 404], at).toContain(answer.status);
      }
    }
  });
});

/** Everything that a post could have changed. */
async function standing(): Promise<unknown> {
  const tables = [
    'artifacts',
    'versions',
    'drafts',
    'runs',
    'approvals',
    'connections',
    'capabilities',
    'members',
    'invitations',
    'api_keys',
  ];
  const digest = (table: string) =>
    `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from quorate.${table} t) as ${table}`;
  return (await instance.query(`select ${tables.map(digest).join(', ')}`))[0];
}

test('data of one route alone passes no guard that stands above it', { timeout: 300_000 }, async () => {
  await forEachAddress(async (address) => {
    const rule = RULES[address.path];
    if (rule === undefined || rule.read === 'anybody' || !address.file.endsWith('.tsx')) return;
    for (const who of people.slice(0, 2)) {
      if (admits(rule.read, who.roles)) continue;
      const path = `${dataOf(address)}?${new URLSearchParams({ _routes: address.id })}`;
      const answer = await ask(who, 'GET', path);
      if (who.roles === null) expect(turnedAway(answer), path).toBe(true);
      else expect([403, 404], path).toContain(answer.status);
    }
  });
});

/** Is a script, an element and a formula wherever it is not held to be a text. */
const PAYLOAD = `"'><canary-element></script><script>canary()</script>=1+1`;

test('reading changes nothing; pages give back no markup, no token, no open door to other windows, and nothing to a page elsewhere', {
  timeout: 300_000,
}, async () => {
  const admin = people.find(({ name }) => name === 'admin');
  const nobody = people.find(({ roles }) => roles === null);
  if (admin === undefined || nobody === undefined) throw new Error('the people are not there');
  const value = admin.cookie
    .split('; ')
    .filter((cookie) => /^sb-[\w-]+(?:\.\d)?=/.test(cookie))
    .map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
    .join('');
  const session = JSON.parse(Buffer.from(value.replace('base64-', ''), 'base64url').toString());
  const secrets: string[] = [session.refresh_token, session.access_token.split('.')[2]];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(10);
  const before = await standing();
  const query = new URLSearchParams(
    ['q', 'mode', 'next', 'from', 'until', 'sort', 'page', 'after', 'status', 'name', 'error', 'lng', 'table'].map((name) => [
      name,
      PAYLOAD,
    ]),
  );
  await forEachAddress(async (address) => {
    const who = address.path.startsWith('/dashboard') ? admin : nobody;
    const path = `${addressOf(address)}?${query}`;
    if (address.path.startsWith('/dashboard')) await ask(who, 'HEAD', addressOf(address));
    const { status, text, headers } = await ask(who, 'GET', path, 'https://evil.example');
    expect(status, path).toBeLessThan(500);
    expectClosedToOrigins(path, headers);
    expect(text, path).not.toMatch(/<canary-element|<script>canary/);
    for (const secret of secrets) expect(text.includes(secret), path).toBe(false);
    for (const [link] of text.matchAll(/<a\b[^>]*target="_blank"[^>]*>/g)) expect(link, path).toMatch(/rel="[^"]*noopener/);
    expect(text.match(/href="(?:javascript|data|vbscript):/i), path).toBeNull();
  });
  expect(await standing()).toEqual(before);
  const logged = instance.server().output();
  for (const secret of secrets) expect(logged.includes(secret)).toBe(false);
});

test('a cookie that was kept opens nothing after signing out: no page, data, form or stream', async () => {
  const person = await signInAs(instance.server(), 'auditor');
  const kept: Asker = { name: 'who has left', roles: null, cookie: person.cookie() };
  const paths = ['/dashboard/runs', '/dashboard/runs.data', '/dashboard/notifications/events', '/dashboard/account/data/export'];
  for (const path of paths) expect((await ask(kept, 'GET', path)).status).toBe(200);
  await (await person.post('/auth/sign-out', {})).body?.cancel();
  for (const path of paths) expect(turnedAway(await ask(kept, 'GET', path)), path).toBe(true);
  for (const path of ['/dashboard/account/preferences', '/dashboard/account/preferences.data'])
    expect((await ask(kept, 'POST', path)).status, path).toBe(401);
});

test.each([
  ['/dashboard/plugins/new', 'builder', { name: 'Peer', address: 'javascript:alert(1)' }],
  ['/dashboard/agents/new', 'builder', { name: 'Peer', address: 'data:text/html,x' }],
  ['/dashboard/notifications/preferences', 'builder', { webhook: 'javascript:alert(1)' }],
] as const)('an address that is none of the web is not saved at %s', async (path, role, form) => {
  const person = await signInAs(instance.server(), role);
  const before = await standing();
  const answer = await person.post(path, form);
  expect(answer.status).toBe(400);
  expect(await answer.text()).not.toContain('href="javascript:');
  expect(await standing()).toEqual(before);
});

test('what is posted by who may not is refused, as a page and as data, and changes nothing', { timeout: 300_000 }, async () => {
  const before = await standing();
  await forEachAddress(async (address) => {
    const rule = RULES[address.path];
    if (rule === undefined || rule.write === 'anybody') return;
    for (const who of people) {
      if (admits(rule.write, who.roles)) continue;
      const at = `POST ${address.path} by ${who.name}`;
      for (const path of who.roles === null ? [addressOf(address), dataOf(address)] : [dataOf(address)]) {
        const { status } = await ask(who, 'POST', path === '/' ? '/?index' : path);
        // There is a door, and it is shut: 405 would mean that there is none.
        if (rule.write === 'nobody') expect([401, 405, 404], at).toContain(status);
        else expect(who.roles === null ? [401] : [400, 403, 404, 409], at).toContain(status);
      }
    }
  });
  expect(await standing()).toEqual(before);
});

test('what is posted by who may is not refused for who they are', { timeout: 300_000 }, async () => {
  await forEachAddress(async (address) => {
    const rule = RULES[address.path];
    // A post here ends the session that asks.
    if (rule === undefined || address.path === '/auth/sign-out') return;
    const who = people.find(({ roles }) => roles !== null && admits(rule.write, roles));
    if (who === undefined) return;
    const answer = await ask(who, 'POST', dataOf(address));
    expect([401, 403, 405], `POST ${address.path} by ${who.name}`).not.toContain(answer.status);
    expect(answer.status, `POST ${address.path} by ${who.name}`).toBeLessThan(500);
  });
});
