/** Returns of the running product over real HTTP; app/docs/security.md lists them with the others. */
import { hkdfSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { expectClosedToOrigins } from '#tests/integration/support/closed-to-origins.ts';
import { addressesOf } from '#tests/integration/support/route-matrix.ts';
import { caughtMails } from '#tests/support/caught-mails.ts';
import { sharedTurns } from '#tests/support/directions.ts';
import { signAccessToken } from '#tests/support/test-database.ts';
import { type Arranged, arrangeIn } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance, superuser } from '#tests/survival/support/instance.ts';
import { startRunBy } from '#tests/survival/support/load.ts';
import { openBrowser, type Person, signIn, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const PASSWORD = 'a password of a newcomer';

let instance: Instance;
let workspace: Arranged;
beforeAll(async () => {
  instance = await createInstance();
  await instance.start();
  workspace = await arrangeIn(instance);
}, 120_000);
afterAll(() => instance?.remove(), 60_000);

const drop = async (answer: Promise<Response>) => {
  const response = await answer;
  await response.body?.cancel();
  return response;
};

/** Some at a time. */
async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
    }),
  );
}

async function linkTo(email: string, not = ''): Promise<string> {
  return until('the mail', async () => {
    const mails = await caughtMails(instance);
    const links = mails.filter(({ to }) => to === email).map(({ text }) => /\/auth\/confirm\?\S+/.exec(text)?.[0]);
    return links.find((link) => link !== undefined && link !== not);
  });
}

async function newcomer(email: string): Promise<Person> {
  const person = openBrowser(instance.origin);
  await drop(person.post('/auth?mode=sign-up', { name: 'Newcomer', email, password: PASSWORD }));
  await drop(person.post(await linkTo(email), { form: 'link' }));
  return signIn(instance.origin, { email, password: PASSWORD });
}

/** As scanners of mails and previews of messengers read a link. */
async function scan(link: string): Promise<void> {
  for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
    const answer = await fetch(`${instance.origin}${link}`, { method, headers: { 'user-agent': 'Mozilla/5.0 (scanner)' } });
    expect(answer.status, `${method} ${link}`).toBe(200);
    expect(answer.headers.getSetCookie().filter((cookie) => cookie.startsWith('sb-'))).toEqual([]);
    await answer.body?.cancel();
  }
  const data = await fetch(`${instance.origin}${link.replace('?', '.data?')}`, { redirect: 'manual' });
  expect(data.status).toBeLessThan(300);
  await data.body?.cancel();
}

test('a link of a mail is not used up by reading it: it works once, by its button', async () => {
  const email = 'scanned@example.com';
  await drop(openBrowser(instance.origin).post('/auth?mode=sign-up', { name: 'Scanned', email, password: PASSWORD }));
  const confirm = await linkTo(email);
  await scan(confirm);
  expect((await drop(openBrowser(instance.origin).post(confirm, { form: 'link' }))).status).toBe(303);
  expect((await drop(openBrowser(instance.origin).post(confirm, { form: 'link' }))).status).toBe(400);

  await drop(openBrowser(instance.origin).post('/reset-password', { form: 'request', email }));
  const reset = (await linkTo(email, confirm)).replace('/auth/confirm', '/reset-password');
  await scan(await linkTo(email, confirm));
  const choose = { form: 'choose', password: 'another good one' };
  expect((await drop(openBrowser(instance.origin).post(reset, choose))).status).toBe(303);
  expect((await drop(openBrowser(instance.origin).post(reset, choose))).status).toBe(400);
});

test('data carries the renewed cookie as pages do, and so do a redirect of data, a file and an error', async () => {
  const person = await newcomer('renewed@example.com');
  const secret = hkdfSync(
    'sha256',
    readFileSync(join(instance.dataDirectory, 'secret-key'), 'utf8').trim(),
    '',
    'quorate auth access tokens',
    48,
  );
  let cookies = new Map(
    person
      .cookie()
      .split('; ')
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const name = [...cookies.keys()].find((key) => key.startsWith('sb-')) ?? '';
  for (const path of [
    '/dashboard/runs.data',
    '/auth.data',
    '/dashboard/account/data/export',
    '/dashboard/nothing-here',
    '/dashboard/runs/not-an-id.data',
  ]) {
    const tokens = JSON.parse(Buffer.from((cookies.get(name) ?? '').slice('base64-'.length), 'base64url').toString());
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString());
    const subject = { userId: claims.sub, sessionId: claims.session_id, email: claims.email };
    const old = signAccessToken(Buffer.from(secret).toString('base64url'), subject, -5);
    const value = `base64-${Buffer.from(JSON.stringify({ ...tokens, access_token: old, expires_at: claims.iat })).toString('base64url')}`;
    const header = [...cookies].map(([key, kept]) => `${key}=${key === name ? value : kept}`).join('; ');
    const answer = await fetch(`${instance.origin}${path}`, { redirect: 'manual', headers: { cookie: header } });
    await answer.body?.cancel();
    const renewed = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=base64-`));
    expect(renewed, path).toBeDefined();
    expect(answer.headers.get('Cache-Control'), path).toContain('no-store');
    cookies = new Map([...cookies, [name, (renewed ?? '').slice(name.length + 1).split(';')[0] ?? '']]);
  }
});

/** Reads a stream to its end. */
async function listenTo(person: Person, path: string): Promise<{ heard: Promise<string> }> {
  const answer = await fetch(`${instance.origin}${path}`, { headers: { cookie: person.cookie() }, signal: AbortSignal.timeout(40_000) });
  expect(answer.headers.get('Content-Type')).toContain('text/event-stream');
  return { heard: answer.text() };
}

test('an open stream ends with the session of who reads it, in whichever way that ends', async () => {
  const builder = await signInAs(instance.server(), 'builder');
  const workflow = await workspace.addWorkflow([{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' }]);
  const run = await until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));
  const left = await signInAs(instance.server(), 'auditor');
  const ended = await signInAs(instance.server(), 'auditor');
  const stays = await signInAs(instance.server(), 'auditor');
  const streams = await Promise.all(
    [left, ended].flatMap((person) =>
      ['/dashboard/notifications/events', `/dashboard/runs/${run}/events`].map((path) => listenTo(person, path)),
    ),
  );
  const other = await listenTo(stays, `/dashboard/runs/${run}/events`);
  await drop(left.post('/auth/sign-out', {}));
  const mark =
    ended
      .cookie()
      .split('; ')
      .find((cookie) => cookie.startsWith('sb-'))
      ?.split('=')[1] ?? '';
  const session = JSON.parse(
    Buffer.from(
      JSON.parse(Buffer.from(mark.slice('base64-'.length), 'base64url').toString()).access_token.split('.')[1],
      'base64url',
    ).toString(),
  ).session_id;
  await drop(stays.post('/dashboard/account/sessions', { workspace: workspace.workspaceId, intent: 'end', session }));
  for (const { heard } of streams) expect(await heard).toMatch(/event: over\ndata: \{\}\n\n$/);
  const late = Symbol('open');
  expect(await Promise.race([other.heard, Promise.resolve(late)])).toBe(late);
  await drop(stays.post('/auth/sign-out', {}));
  expect(await other.heard).toContain('event: over');
  // Who comes back afterwards is told the same, not sent to a page that an event source cannot read.
  const back = await fetch(`${instance.origin}/dashboard/runs/${run}/events`, { headers: { accept: 'text/event-stream' } });
  expect(back.headers.get('Content-Type')).toContain('text/event-stream');
  expect(await back.text()).toBe('event: over\ndata: {}\n\n');
});

// All other answers are looked at where the matrix of routes reads them anyway.
test('no page of another site is allowed anything by a preflight, nor by an answer that no route gives', { timeout: 120_000 }, async () => {
  const evil = { origin: 'https://evil.example' };
  const person = await signInAs(instance.server(), 'admin');
  const paths = [...addressesOf(routes)].map(({ path }) => path.replaceAll(/:(\w+)/g, () => randomUUID()).replace('*', 'nowhere'));
  const outside = ['/assets/nothing.js', '/healthz', '/dashboard/runs.data', '/dev/mailbox.json'];
  await inParallel(outside, async (path) => {
    const headers = { ...evil, cookie: person.cookie() };
    expectClosedToOrigins(path, (await drop(fetch(`${instance.origin}${path}`, { redirect: 'manual', headers }))).headers);
  });
  await inParallel([...paths, ...outside], async (path) => {
    const headers = { ...evil, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    expectClosedToOrigins(path, (await drop(fetch(`${instance.origin}${path}`, { method: 'OPTIONS', headers }))).headers);
  });
});

test('a key is nobody on a page, and a session nobody where programs call', async () => {
  const builder = await signInAs(instance.server(), 'builder');
  const form = { workspace: workspace.workspaceId, name: 'Program', days: '30', scopes: 'runs:read', id: randomUUID() };
  const page = await (await builder.post('/dashboard/account/api-keys/new', form)).text();
  const key = /qk_[\w-]{20,}/.exec(page)?.[0] ?? '';
  const ask = async (path: string, headers: Record<string, string>) =>
    (await drop(fetch(`${instance.origin}${path}`, { redirect: 'manual', headers }))).status;
  expect(await ask('/api/v1/runs', { authorization: `Bearer ${key}` })).toBe(200);
  expect(await ask('/dashboard/runs', { authorization: `Bearer ${key}` })).toBe(302);
  expect(await ask('/dashboard/runs', { authorization: `Bearer ${key}`, cookie: builder.cookie() })).toBe(302);
  expect(await ask('/api/v1/runs', { cookie: builder.cookie() })).toBe(401);
});

const BELOW_THE_FOLD = [
  { path: '/dashboard', table: 'steps', top: 'Waiting for you', below: 'Errors in the last 7 days' },
  { path: '/dashboard/analytics', table: 'steps', top: 'Over time', below: 'By step' },
  { path: '/dashboard/analytics/advanced', table: 'steps', top: 'Response times', below: 'Error causes' },
  { path: '/dashboard/admin/performance', table: 'steps', top: 'Runs', below: 'Slowest steps' },
  { path: '/dashboard/admin/monitoring', table: 'deliveries', top: 'Workers', below: 'Latest errors' },
];

test('the first part of a page comes while what stands below the fold is held, and without scripts all of it comes', async () => {
  const workflow = await workspace.addWorkflow([{ id: 'echo', name: 'Echo', kind: 'transform', expression: '1' }]);
  const builder = await signInAs(instance.server(), 'builder');
  const run = await until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));
  await until('its end', async () => (await instance.query(`select from quorate.runs where id = $1 and status = 'completed'`, [run]))[0]);
  const person = await signInAs(instance.server(), 'auditor');
  const headings = (html: string) => [...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, words]) => words);
  const client = new pg.Client(superuser(instance.dataDirectory));
  await client.connect();
  try {
    for (const { path, table, top, below } of BELOW_THE_FOLD) {
      const whole = await (await person.get(path)).text();
      expect(headings(whole), path).toEqual(expect.arrayContaining([top, below]));
      expect(whole, path).not.toContain('aria-label="Loading this part"');
      await client.query(`begin; lock table quorate.${table} in access exclusive mode`);
      // A browser that runs scripts has said its time zone; what calls itself no browser is answered as a whole.
      const headers = {
        cookie: `${person.cookie()}; tz=UTC`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      };
      const answer = await fetch(`${instance.origin}${path}`, { headers });
      const chunks = answer.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
      let html = '';
      while (!html.includes('aria-label="Loading this part"')) {
        const chunk = await chunks?.next();
        if (chunk === undefined || chunk.done) break;
        html += chunk.value;
      }
      expect(headings(html), path).toContain(top);
      expect(headings(html), path).not.toContain(below);
      await client.query('rollback');
      for (let chunk = await chunks?.next(); chunk !== undefined && !chunk.done; chunk = await chunks?.next()) html += chunk.value;
      expect(headings(html), path).toContain(below);
    }
  } finally {
    await client.end();
  }
});

/** Turns the direction of reading, hides a sign of no width, is a formula, the end of an attribute, of a script and of a text, an element, a script and a placeholder, wherever it is not held to be a text. */
const PAYLOAD = `=\u202e\u200b1+1"'></title></textarea></script><canary-element onload=x><script>canary()</script>{{name}}`;
/** What people and peers write, wherever it stands: changed in every row of every table. */
const WRITTEN = /(?:name|title|description|message|reason|comment|note|question|label|browser|last_error|text_body)$/;

/** Puts the payload before what stands in each such column. Returns where it went in: a bound or a list of kinds may keep it out. */
async function taint(): Promise<string[]> {
  const client = new pg.Client(superuser(instance.dataDirectory));
  await client.connect();
  const tainted: string[] = [];
  try {
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query<{ table: string; column: string }>(
      `select table_schema || '.' || table_name as table, column_name as column from information_schema.columns
       where (table_schema = 'quorate' or (table_schema, table_name) = ('public', 'profiles')) and data_type = 'text'`,
    );
    for (const { table, column } of rows.filter(({ column }) => WRITTEN.test(column))) {
      const change = client.query(`update ${table} set ${column} = $1 || ${column} where ${column} is not null`, [PAYLOAD]);
      const count = await change.then(
        ({ rowCount }) => rowCount ?? 0,
        (error: { code?: string }) => (['23505', '23514', '22001'].includes(error.code ?? '') ? 0 : Promise.reject(error)),
      );
      if (count > 0) tainted.push(`${table}.${column}`);
    }
  } finally {
    await client.end();
  }
  return tainted;
}

test('what someone has stored is a text on every screen and in every file, whatever it says', {
  timeout: 180_000,
}, async () => {
  const builder = await signInAs(instance.server(), 'builder');
  const workflow = await workspace.addWorkflow([
    { id: 'echo', name: PAYLOAD, kind: 'transform', expression: '{ "said": input.text }' },
    { id: 'ask', name: PAYLOAD, kind: 'approval', question: PAYLOAD, risk: 'low' },
  ]);
  const client = new pg.Client(superuser(instance.dataDirectory));
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(`update quorate.versions set document = jsonb_set(document::jsonb, '{input}', $2) where artifact_id = $1`, [
    workflow,
    JSON.stringify([{ name: 'text', title: PAYLOAD, type: 'text', required: true }]),
  ]);
  // Who may see everything.
  await client.query(
    `update quorate.members set roles = array['user', 'builder', 'approver', 'auditor', 'admin'] where 'admin' = any (roles)`,
  );
  await client.end();
  const form = { _mode: 'live', _key: randomUUID(), _revision: '0', workspace: workspace.workspaceId, text: PAYLOAD };
  const started = await drop(builder.post(`/dashboard/workflows/${workflow}/run`, form));
  const run = /\/runs\/([0-9a-f-]{36})$/.exec(started.headers.get('location') ?? '')?.[1] ?? '';
  expect(run).not.toBe('');
  await until('its question', async () => (await instance.query('select id from quorate.approvals where run_id = $1', [run]))[0]);
  const key = { name: 'Tainted', days: '30', scopes: 'runs:read', id: randomUUID() };
  await drop(builder.post('/dashboard/account/api-keys/new', { ...key, workspace: workspace.workspaceId }));
  const tainted = await taint();
  expect(tainted.length).toBeGreaterThan(15);
  const [ids] = await instance.query<Record<string, string>>(
    `select (select id from quorate.approvals where run_id::text = $2) as approval, (select id from quorate.api_keys where workspace_id = w.id limit 1) as key,
       (select id from quorate.artifacts where workspace_id = w.id and kind = 'policy' limit 1) as policy,
       (select id from quorate.audit_events where workspace_id = w.id and resource_id = $2 limit 1) as event,
       (select id from quorate.decisions where workspace_id = w.id limit 1) as decision,
       (select max(size)::text from quorate.checkpoints where workspace_id = w.id) as size,
       (select user_id from quorate.members where workspace_id = w.id and 'auditor' = any (roles) limit 1) as "user"
     from quorate.workspaces w where w.id = $1`,
    [workspace.workspaceId, run],
  );
  const connections = await instance.query<{ id: string; area: string }>(
    `select id, case kind when 'a2a' then '/dashboard/agents' when 'mcp' then '/dashboard/plugins' when 'model' then '/dashboard/llm-hub' else '/dashboard/plugins/integrations' end as area
     from quorate.connections where workspace_id = $1 and deleted_at is null`,
    [workspace.workspaceId],
  );
  const named: Record<string, string | undefined> = {
    ...ids,
    run,
    workflow,
    number: '1',
    guide: 'connect-a-tool',
    plan: 'starter',
    regulation: 'gdpr',
  };
  const connectionOf = (path: string) => connections.filter(({ area }) => path.startsWith(`${area}/:`))[0]?.id;
  const paths = [...addressesOf(routes)]
    .filter(({ path }) => path.startsWith('/dashboard') && !path.endsWith('/events'))
    .map(({ path }) =>
      path
        .replaceAll(/:(\w+)/g, (_, name: string) => (name === 'connection' ? connectionOf(path) : named[name]) ?? randomUUID())
        .replace('/*', '/ask'),
    );
  const files = ['workflows', 'runs', 'agents', 'plugins', 'integrations', 'models', 'policies', 'members', 'audit'].map(
    (list) => `/dashboard/tables/${list}`,
  );
  const tables = ['time', 'workflows', 'agents', 'steps', 'errors'].map((table) => `/dashboard/analytics/table.csv?table=${table}&days=90`);
  const showing: string[] = [];
  const faults: string[] = [];
  const person = await signInAs(instance.server(), 'admin');
  await inParallel([...paths, ...tables, ...files, '/dashboard/search?q=Survival', '/dashboard/search?q=%3D1%2B1'], async (path) => {
    const answer = await person.get(path);
    const text = await answer.text();
    const type = answer.headers.get('Content-Type') ?? '';
    const harmless = type.startsWith('text/csv')
      ? !/(?:^|[\n,])"?[=+\-@\t]\D/.test(text)
      : type.startsWith('text/html')
        ? !/<canary-element|<script>canary|<\/title><\/textarea>/.test(text)
        : /^(?:application\/(?:json|zip|x-ndjson)|text\/plain|$)/.test(type);
    if (answer.status >= 500) faults.push(`${path} answers ${answer.status}`);
    if (!harmless) faults.push(`${path} gives it back as ${type}`);
    if (!/^nosniff/.test(answer.headers.get('X-Content-Type-Options') ?? '')) faults.push(`${path} may be sniffed`);
    if (type.startsWith('text/html')) faults.push(...sharedTurns(text, /\u202e/, /^=\u202e/).map((turned) => `${path} turns ${turned}`));
    if (text.includes('&lt;canary-element') || type.startsWith('text/csv')) showing.push(path);
  });
  expect(faults).toEqual([]);
  // Names of workflows, runs, members, connections, keys, policies and events stand on most screens.
  expect(new Set(showing).size).toBeGreaterThan(30);
});
