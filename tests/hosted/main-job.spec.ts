/**
 * The main job on a hosted project, which a stand-in plays: two web and two worker processes that share nothing but the
 * project and the settings. People work through both web processes, and a worker is killed while it holds the run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { type ProductProcess, spawnProduct, untilReady } from '#tests/hosted/support/product-process.ts';
import { openScriptlessBrowser, type ScriptlessBrowser } from '#tests/hosted/support/scriptless-browser.ts';
import { type StandIn, startStandIn } from '#tests/hosted/support/stand-in.ts';
import { addressesOf } from '#tests/integration/support/route-matrix.ts';
import { freePort } from '#tests/support/free-port.ts';
import { addKey } from '#tests/survival/support/add-key.ts';
import { signIn } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const WATCHED = 'Viktor Petrenko';
const ADA = { name: 'Ada Berger', email: 'ada@bank.example', password: 'correct horse battery ada' };
const BEN = { name: 'Ben Okafor', email: 'ben@bank.example', password: 'correct horse battery ben' };

let standIn: StandIn;
let origins: [string, string];
const web: ProductProcess[] = [];
const workers: ProductProcess[] = [];
let ada: ScriptlessBrowser;
let ben: ScriptlessBrowser;

/** Knows the settings of the project, and not the address that people use. */
function workerSettings(): Record<string, string> {
  const { QUORATE_URL: _address, SMTP_URL: _mail, ...settings } = standIn.settings;
  return settings;
}

beforeAll(async () => {
  standIn = await startStandIn();
  origins = [standIn.origin, `http://localhost:${await freePort()}`];
  const start = (origin: string) => spawnProduct('server', { ...standIn.settings, PORT: new URL(origin).port, QUORATE_WORKER: 'off' });
  web.push(...(await Promise.all(origins.map(start))));
  await Promise.all(web.map(untilReady));
  await standIn.admit();
  workers.push(...(await Promise.all([spawnProduct('worker', workerSettings()), spawnProduct('worker', workerSettings())])));
  await Promise.all(workers.map(untilReady));
  ada = openScriptlessBrowser(origins[0]);
  ben = openScriptlessBrowser(origins[1]);
}, 90_000);
afterAll(async () => {
  for (const worker of workers) worker.child.kill('SIGCONT');
  await Promise.all([...web, ...workers].map((product) => product.end('SIGTERM')));
  await standIn?.stop();
});

async function signUp(person: ScriptlessBrowser, { name, email, password }: typeof ADA): Promise<void> {
  await person.send(/^Sign Up$/, { name, email, password });
  expect(person.page()).toMatchObject({ status: 200, path: '/auth/confirm?sent=signup' });
  const mail = await standIn.mailTo(email, /confirm/i);
  const link = /href="([^"]*\/auth\/confirm[^"]*)"/.exec(mail.html)?.[1] ?? '';
  expect(link.startsWith(`${standIn.origin}/auth/confirm?token_hash=`)).toBe(true);
  await person.open(link.replaceAll('&amp;', '&'));
  await person.send(/^Confirm and sign in$/);
}

/** Keeps every worker from recording a step, until the answer is called. */
async function holdSteps(): Promise<() => Promise<void>> {
  const client = await standIn.superuser.connect();
  await client.query('begin; lock table quorate.steps in share row exclusive mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

async function verifyOffline(bundle: string, { dataDirectory }: ProductProcess): Promise<{ code: number | null; said: string }> {
  const file = join(dataDirectory, 'evidence.json');
  await writeFile(file, bundle);
  const key = join(dataDirectory, 'log-key.pub');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'app', 'verify.ts'), file, '--key', key], {
    cwd: root,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const [code] = await once(child, 'close');
  return { code, said };
}

/** Opens the run again and again, until what stands on its page fits. */
const untilRunShows = (run: string, words: RegExp) =>
  until(
    `the run to show ${words}`,
    async () => {
      if (words.test((await ada.open(run)).text)) return true;
      throw new Error(`${ada.page().text} ${workers.map(({ output }) => output()).join('')}`);
    },
    45_000,
  );

test('two web processes that start at the same moment apply each migration once', async () => {
  const { rows } = await standIn.superuser.query('select version, count(*) from supabase_migrations.schema_migrations group by version');
  expect(rows.length).toBeGreaterThan(5);
  const owner = await standIn.superuser.query(
    `select rolsuper as superuser, (select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'auth') as owns_auth,
       (select count(*)::int from pg_tables where schemaname in ('quorate', 'public') and tableowner <> $1) as of_others
     from pg_roles where rolname = $1`,
    [standIn.ownerLogin.user],
  );
  expect(owner.rows).toEqual([{ superuser: false, owns_auth: 'supabase_auth_admin', of_others: 0 }]);
});

test('the main job ends, through both web processes and over the death of a worker', { timeout: 120_000 }, async () => {
  await ada.open('/auth?mode=sign-up');
  await signUp(ada, ADA);
  expect(ada.page().path).toBe('/dashboard');
  expect(ada.page().text).toContain('Ada Berger’s workspace');

  // Her session is of the project and not of a process.
  ada.at(origins[1]);
  await ada.open('/dashboard/plugins');
  await ada.send(/^Add the built-in tools/);
  expect(ada.page().text).toContain('Withdraw approval of');
  await ada.open('/dashboard/agents');
  await ada.send(/^Add the Compliance Copilot/);
  await ada.open('/dashboard/workflows/templates');
  await ada.follow(/^Use this template\s*: Payment screening/);
  ada.at(origins[0]);
  await ada.send(/^Create workflow$/, { name: 'Outgoing payments' });
  await ada.follow(/^Publish$/);
  await ada.send(/^Publish version 1$/);
  expect(ada.page().text).toContain('Version 1, in force');

  await ada.open('/dashboard/admin/members/invite');
  await ada.send(/^Send invitation$/, { email: BEN.email, roles: ['user', 'approver'] });
  expect(ada.page().text).toContain(BEN.email);
  const invitation = await standIn.mailTo(BEN.email, /invitations\//);
  await ben.open(/https?:\/\/\S+\/invitations\/\S+/.exec(invitation.text)?.[0] ?? '');
  await ben.follow(/^Sign Up$/);
  await signUp(ben, BEN);
  await ben.send(/^Accept the invitation$/);
  expect(ben.page().text).toContain('Ada Berger’s workspace');

  await ada.open('/dashboard/workflows');
  await ada.follow(/^Outgoing payments$/);
  await ada.follow(/^Run$/);
  const [victim, survivor] = workers;
  if (victim === undefined || survivor === undefined) throw new Error('no workers');
  // One worker sees nothing for now, and the other gets no further than its first step: it will die holding the run.
  survivor.child.kill('SIGSTOP');
  const release = await holdSteps();
  await ada.send(/^Start run$/, {
    payee: WATCHED,
    'amount.amount': '12500.50',
    'amount.currency': 'EUR',
    purpose: 'Software licence, invoice 4711',
    watchlist: `Anna Example\n${WATCHED}\nJohn Sample`,
  });
  const run = ada.page().path;
  expect(ada.page().text).toMatch(/Viktor Petrenko · €12,500\.50 · #\d+/);
  expect(run).toMatch(/^\/dashboard\/runs\/[0-9a-f-]{36}$/);
  const runId = run.split('/').at(-1);
  const claim = () =>
    standIn.superuser.query('select claimed_by, attempt from quorate.runs where id = $1 and claimed_by is not null', [runId]);
  const claimed = await until('a worker to take the run', async () => (await claim()).rows[0]);
  victim.child.kill('SIGKILL');
  await victim.end();
  survivor.child.kill('SIGCONT');
  await release();

  await untilRunShows(run, /Waiting for a decision:/);
  const decided = await decideAll(run);
  expect(decided).toBeGreaterThan(0);
  expect(ada.page().text).toContain('released');
  const ended = await standIn.superuser.query('select status, attempt from quorate.runs where id = $1', [runId]);
  expect(ended.rows[0]).toMatchObject({ status: 'completed' });
  expect(ended.rows[0].attempt).toBeGreaterThan(claimed.attempt);

  const [first, second] = web;
  if (first === undefined || second === undefined) throw new Error('no web processes');
  await until('the proof of the whole run', async () => {
    const proof = await verifyOffline(await (await ada.get(`/dashboard/audit/evidence/run/${runId}`)).text(), first);
    if (proof.code !== 0) throw new Error(proof.said);
    return proof.said.includes('Proven: everything that this evidence claims was checked, and it holds.');
  });
  // Every process signs one and the same log, whichever settings of the address it has.
  const keys = await Promise.all([first, second].map(({ dataDirectory }) => readFile(join(dataDirectory, 'log-key.pub'), 'utf8')));
  expect(new Set(keys).size).toBe(1);
  const notes = await standIn.superuser.query(`select distinct split_part(note, E'\\n', 1) as log from quorate.checkpoints`);
  expect(new Set(notes.rows.map(({ log }) => log.split('/')[0]))).toEqual(new Set([keys[0]?.split('+')[0]]));
});

/** The second person decides in the other web process, as often as the run asks. Returns how often. */
async function decideAll(run: string): Promise<number> {
  for (let count = 0; count < 4; count += 1) {
    const approval = await until(
      'the run to end or to ask',
      async () => {
        const page = await ada.open(run);
        return /\bCompleted\b/.test(page.text) ? 'completed' : /Open the approval/.test(page.text) && page.link(/^Open the approval/);
      },
      30_000,
    );
    if (approval === 'completed') return count;
    await ben.open(approval);
    const answer = { reason: 'Checked against the passport: another person.' };
    await ben.send(/^Approve$/, ben.page().html.includes('name="password"') ? { ...answer, password: BEN.password } : answer);
    expect(ben.page()).toMatchObject({ status: 200, path: approval });
    await until('the run to go on', async () => {
      const page = await ada.open(run);
      return /\bCompleted\b/.test(page.text) || !page.html.includes(approval);
    });
  }
  throw new Error('more approvals were asked than calls follow the finding');
}

test('an older MCP client cancels its call at the other web process than the one that serves it', async () => {
  const { rows } = await standIn.superuser.query(`select id from quorate.workspaces where name = 'Ada Berger’s workspace'`);
  const query = async (text: string, values?: unknown[]) => (await standIn.superuser.query(text, values)).rows;
  const key = await addKey({ query }, rows[0].id, ['runs:start']);
  const client = new OlderClient({ name: 'older', version: '1.0.0' });
  const transport = new OlderTransport(new URL(`${origins[0]}/mcp/${rows[0].id}`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (url, init) => {
      const cancels = String(init?.body).includes('notifications/cancelled');
      return fetch(cancels ? String(url).replace(origins[0], origins[1]) : url, init);
    },
  });
  // Its type of a transport lets `undefined` stand where ours, exact, does not.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  // Nobody takes the run up meanwhile.
  const [, survivor] = workers;
  survivor?.child.kill('SIGSTOP');
  try {
    const leave = new AbortController();
    const payment = { payee: 'Jo', amount: { amount: 1, currency: 'EUR' }, purpose: 'None', watchlist: 'Nobody' };
    const called = client.callTool({ name: 'outgoing_payments', arguments: payment }, undefined, { signal: leave.signal }).catch(String);
    const run = await until('the run of the call', async () => {
      const [row] = await query(`select id from quorate.runs where trigger_kind = 'mcp'`);
      return row?.id as string | undefined;
    });
    leave.abort();
    await called;
    await until(
      'the run to be cancelled',
      async () => (await query('select id from quorate.runs where id = $1 and cancel_requested_at is not null', [run])).length === 1,
      10_000,
    );
  } finally {
    survivor?.child.kill('SIGCONT');
    await client.close();
  }
});

describe('identity', () => {
  test('a session that ends in one process is refused by the other at once', async () => {
    const person = openScriptlessBrowser(origins[0]);
    await person.open('/auth');
    await person.send(/^Sign In$/, { email: BEN.email, password: BEN.password });
    expect(person.page().path).toBe('/dashboard');
    const thief = person.copy(origins[1]);
    expect((await thief.open('/dashboard/workflows')).path).toBe('/dashboard/workflows');
    await person.send(/^Sign out$/);
    expect((await thief.open('/dashboard/workflows')).path).toMatch(/^\/auth\?next=/);
  });

  test('the link that a project sends by default confirms too, and leads to a page with a way on', async () => {
    const person = openScriptlessBrowser(origins[1]);
    const email = 'default-link@bank.example';
    await person.open('/auth?mode=sign-up');
    await person.send(/^Sign Up$/, { email, password: ADA.password });
    const { text } = await standIn.mailTo(email, /confirm/i);
    const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
    const verified = await fetch(`${standIn.url}${link.pathname}${link.search}`, { redirect: 'manual' });
    const back = new URL(verified.headers.get('location') ?? '');
    expect(back.origin).toBe(standIn.origin);
    // What stands behind the # stays in the browser: the page is that of someone who is not signed in yet.
    expect((await person.open(`${back.pathname}${back.search}`)).status).toBe(200);
    await person.open('/auth');
    await person.send(/^Sign In$/, { email, password: ADA.password });
    expect(person.page()).toMatchObject({ status: 200, path: '/dashboard' });
  });

  test('a link that the project refused, and a code of another browser, are pages with a way on', async () => {
    const person = openScriptlessBrowser(origins[0]);
    expect(await person.open('/auth/confirm?error=access_denied&error_code=otp_expired')).toMatchObject({ status: 400 });
    await person.open('/auth/confirm?code=0123456789abcdef0123');
    const answer = await person.send(/^Confirm and sign in$/);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('/auth');
  });
});

test('what belongs to one machine is not there: no mailbox, no demo', async () => {
  for (const origin of origins)
    for (const path of ['/dev/mailbox', '/dev/mailbox.json']) expect((await fetch(`${origin}${path}`)).status).toBe(404);
  for (const { output } of web) {
    const announced = output()
      .split('\n')
      .filter((line) => !line.startsWith('{'));
    expect(announced).toEqual([`Quorate is ready: ${standIn.origin}`, '']);
  }
  const people = await standIn.superuser.query('select count(*)::int from auth.users');
  expect(people.rows).toEqual([{ count: 3 }]);
});

test('no log tells the secret of an invitation', () => {
  const said = web.map(({ output }) => output()).join('');
  expect(said).toContain('"path":"/invitations/…"');
  for (const { text } of standIn.mails) {
    const [, token] = /\/invitations\/(\S+)/.exec(text) ?? [];
    if (token !== undefined) expect(said).not.toContain(token);
  }
});

describe('an account of the project', () => {
  const CLEO = { email: 'default-link@bank.example', next: 'cleo@bank.example', password: ADA.password };
  const signIn = async (email: string, path = '/auth') => {
    const person = openScriptlessBrowser(origins[1]);
    await person.open(path);
    await person.send(/^Sign In$/, { email, password: CLEO.password });
    return person;
  };

  test('keeps its language and time zone for every browser', async () => {
    const person = await signIn(CLEO.email);
    await person.open('/dashboard/account/preferences');
    await person.send(/^Save/, { language: 'de', timeZone: 'Europe/Berlin' });
    expect(person.page().html).toContain('<html lang="de"');
    const elsewhere = openScriptlessBrowser(origins[0]);
    await elsewhere.open('/auth');
    await elsewhere.send(/^Sign In$/, { email: CLEO.email, password: CLEO.password });
    expect((await elsewhere.open('/dashboard/account/preferences')).html).toContain('<html lang="de"');
    await elsewhere.send(/speichern/i, { language: 'en' });
    expect(elsewhere.page().html).toContain('<html lang="en"');
  });

  test('changes its address when the new mailbox confirms', async () => {
    const person = await signIn(CLEO.email);
    await person.open('/dashboard/account/security');
    await person.send(/^Send confirmation$/, { email: CLEO.next, currentPassword: CLEO.password });
    const { html } = await standIn.mailTo(CLEO.next, /email change/i);
    expect((await signIn(CLEO.next)).page().path).toBe('/auth');
    const link = /href="([^"]*\/auth\/confirm[^"]*)"/.exec(html)?.[1] ?? '';
    await person.open(link.replaceAll('&amp;', '&'));
    expect(await person.send(/^Confirm and sign in$/)).toMatchObject({ status: 200, path: '/dashboard' });
    expect((await signIn(CLEO.next)).page()).toMatchObject({ status: 200, path: '/dashboard' });
  });

  test('goes, with all that names it, by its owner’s hand, who is not the owner of the project’s accounts', async () => {
    const person = await signIn(CLEO.next);
    expect(await (await person.get('/dashboard/account/data/export')).text()).toContain(CLEO.next);
    await person.open('/dashboard/account/data/delete');
    await person.send(/^Delete account permanently$/, { confirmation: CLEO.next, currentPassword: CLEO.password });
    expect(person.page()).toMatchObject({ status: 200, path: '/' });
    await standIn.mailTo(CLEO.next, /deleted/i);
    expect((await signIn(CLEO.next)).page().path).toBe('/auth');
    expect((await standIn.superuser.query('select from auth.users where email = any ($1)', [[CLEO.email, CLEO.next]])).rowCount).toBe(0);
  });
});

test('who has a second factor and has shown a password alone reaches nothing but its question, at no address and in no way', {
  timeout: 90_000,
}, async () => {
  const mark = `create table if not exists auth.mfa_factors (id uuid primary key default gen_random_uuid(), user_id uuid not null, status text not null);
    grant select on auth.mfa_factors to ${standIn.ownerLogin.user}`;
  await standIn.superuser.query(mark);
  await standIn.superuser.query(`insert into auth.mfa_factors (user_id, status) select id, 'verified' from auth.users where email = $1`, [
    BEN.email,
  ]);
  const person = await signIn(origins[0], BEN);
  const id = '0197c2d4-0000-7000-8000-000000000000';
  const open: string[] = [];
  const paths = [...addressesOf(routes)]
    .map(({ path }) => path.replaceAll(/:(\w+)/g, id).replace('/*', '/nowhere'))
    .filter((path) => path.startsWith('/dashboard') || path.startsWith('/invitations/'));
  expect(paths.length).toBeGreaterThan(100);
  for (const path of paths) {
    const data = path === '/dashboard' ? '/dashboard.data' : `${path}.data`;
    for (const [way, answer] of [
      ['GET', person.get(path)],
      ['GET data', person.get(data)],
      ['POST', person.post(path, { intent: 'everywhere', form: 'remove', name: 'Typed' })],
      ['POST data', person.post(data, { intent: 'everywhere', form: 'remove', name: 'Typed' })],
    ] as const) {
      const { status, headers } = await answer;
      const text = await (await answer).text();
      const asked = `${headers.get('location')}${text}`.includes('/auth/factor') || (status === 401 && way.startsWith('POST'));
      const none = status === 404 || status === 405;
      if (!asked && !none && !text.startsWith('event: over')) open.push(`${way} ${path} answers ${status}`);
      if (text.includes(BEN.name)) open.push(`${way} ${path} shows who it is`);
    }
  }
  expect(open).toEqual([]);
  await standIn.superuser.query('delete from auth.mfa_factors');
  expect((await person.get('/dashboard/workflows')).status).toBe(200);
});

describe('when the project', () => {
  test('does not answer for its accounts, those who are in continue, and who comes is told', async () => {
    standIn.pause(true);
    try {
      const person = openScriptlessBrowser(origins[1]);
      await person.open('/auth');
      const [refused, member] = await Promise.all([
        person.send(/^Sign In$/, { email: BEN.email, password: BEN.password }),
        ada.open('/dashboard/workflows'),
      ]);
      expect(member).toMatchObject({ status: 200, path: '/dashboard/workflows' });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.text).toMatch(/cannot be reached|not available|unavailable|try again/i);
    } finally {
      standIn.pause(false);
    }
  });

  test('is gone, every web process says so soon and does not end', async () => {
    await standIn.stop();
    for (const origin of origins) {
      await until('health to say so', async () => (await fetch(`${origin}/healthz`)).status === 503, 10_000);
      const answer = await ada.get('/dashboard/workflows');
      expect(answer.status).toBe(503);
      await answer.body?.cancel();
    }
    const left = [...web, ...workers.slice(1)];
    expect(left.map(({ child }) => child.exitCode)).toEqual([null, null, null]);
    expect(await Promise.all(left.map((product) => product.end('SIGTERM')))).toEqual([0, 0, 0]);
  });
});
