/**
 * A PostgreSQL of one's own and nothing of Supabase: DATABASE_URL alone, with the account service inside the web server. Its owner is
 * an ordinary login that owns one database and may make roles. The server is Debian's, 15 or newer, where this machine has one, so that the
 * least version is tried; otherwise the embedded one, which all other tests run on.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { placeDatabase } from '#app/platform/embedded/postgres-account.server.ts';
import { signalPostmaster } from '#app/platform/embedded/postgres-binaries.server.ts';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { type MailCatcher, startMailCatcher } from '#tests/hosted/support/mail-catcher.ts';
import { type ProductProcess, spawnProduct, untilReady } from '#tests/hosted/support/product-process.ts';
import { openScriptlessBrowser } from '#tests/hosted/support/scriptless-browser.ts';
import type { CaughtMail } from '#tests/hosted/support/supabase-messages.ts';
import { debiansPostgres, makeStrangersCluster, startTcpPostgres, statement, untilItAnswers } from '#tests/hosted/support/tcp-postgres.ts';
import { freePort } from '#tests/support/free-port.ts';
import { until } from '#tests/survival/support/until.ts';

const OWNER = { user: 'ledger_owner', password: 'a password of the company', database: 'ledger' };
const ADA = { name: 'Ada Berger', email: 'ada@bank.example', password: 'correct horse battery ada' };

const mails: CaughtMail[] = [];
const ends: (() => Promise<unknown>)[] = [];
let catcher: MailCatcher;
let port: number;
let superuser: DatabaseLogin;
let settings: Record<string, string>;
let origin: string;
let web: ProductProcess;

const databaseUrl = (database = OWNER.database) =>
  `postgresql://${OWNER.user}:${encodeURIComponent(OWNER.password)}@127.0.0.1:${port}/${database}`;
const start = async (kind: 'server' | 'worker', changes: Record<string, string> = {}) => {
  const product = await spawnProduct(kind, { ...settings, PORT: String(await freePort()), ...changes });
  ends.push(() => product.end('SIGTERM'));
  return product;
};

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quorate-own-'));
  await chmod(directory, 0o755);
  ends.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  port = await freePort();
  const placed = placeDatabase(directory);
  const placement = { ...placed, binaries: debiansPostgres() ?? placed.binaries };
  superuser = superuserLogin({ host: '127.0.0.1', port }, 'of the superuser');
  makeStrangersCluster(placement, superuser.user, superuser.password);
  const postmaster = startTcpPostgres(placement, port);
  ends.push(async () => {
    const gone = once(postmaster, 'exit');
    if (postmaster.pid !== undefined) signalPostmaster(placement.binaries, postmaster.pid, 'INT');
    await gone;
  });
  await untilItAnswers(superuser, postmaster);
  await statement(superuser, `create role ${OWNER.user} login createrole password '${OWNER.password}'`);
  await statement(superuser, `create database ${OWNER.database} owner ${OWNER.user}`);
  await statement(superuser, 'create database of_others');
  await statement(superuser, `create database second owner ${OWNER.user}`);
  catcher = await startMailCatcher((mail) => mails.push(mail));
  ends.push(() => catcher.stop());
  origin = `http://localhost:${await freePort()}`;
  settings = {
    DATABASE_URL: databaseUrl(),
    QUORATE_SECRET_KEY: 'the same in every process, and long enough',
    QUORATE_URL: origin,
    SMTP_URL: catcher.smtpUrl,
  };
  web = await start('server', { PORT: new URL(origin).port, QUORATE_WORKER: 'off' });
  await untilReady(web);
  await untilReady(await start('worker'));
}, 120_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

test('someone signs up, confirms, connects the built-in tools and runs a workflow on a worker', { timeout: 120_000 }, async () => {
  const ada = openScriptlessBrowser(origin);
  await ada.open('/auth?mode=sign-up');
  await ada.send(/^Sign Up$/, ADA);
  const mail = await until('the mail', () => mails.find(({ to, text }) => to === ADA.email && text.includes('/auth/confirm')));
  await ada.open(/https?:\/\/\S+\/auth\/confirm\S+/.exec(mail.text)?.[0] ?? '');
  await ada.send(/^Confirm and sign in$/);
  expect(ada.page().path).toBe('/dashboard');
  await ada.open('/dashboard/plugins');
  await ada.send(/^Add the built-in tools/);
  await ada.open('/dashboard/agents');
  await ada.send(/^Add the Compliance Copilot/);
  await ada.open('/dashboard/workflows/templates');
  await ada.follow(/^Use this template\s*: Payment screening/);
  await ada.send(/^Create workflow$/, { name: 'Outgoing payments' });
  await ada.follow(/^Publish$/);
  await ada.send(/^Publish version 1$/);
  await ada.follow(/^Run$/);
  const payment = {
    payee: 'Grace Hopper',
    'amount.amount': '120',
    'amount.currency': 'EUR',
    purpose: 'Invoice 4711',
    watchlist: 'Anna Example',
  };
  await ada.send(/^Start run$/, payment);
  const run = ada.page().path;
  await until('the run to end', async () => /\bCompleted\b/.test((await ada.open(run)).text));
});

test('nothing of it needs more rights than those of an owner', async () => {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  const roles = await client.query(
    `select rolname, rolsuper or rolbypassrls as all_rows from pg_roles where rolname ~ '^(quorate|ledger|supabase_auth|anon|auth|service)'`,
  );
  await client.end();
  expect(roles.rows.filter(({ all_rows }) => all_rows)).toEqual([]);
});

/** The one line with which a start of these settings ends. */
async function refusal(kind: 'server' | 'worker', changes: Record<string, string>): Promise<string> {
  const product = await start(kind, changes);
  expect(await product.end()).toBe(1);
  expect(product.output(), 'one line').toMatch(/^[^\n]+\n$/);
  expect(product.output()).not.toContain(OWNER.password);
  return product.output();
}

test('a start that cannot work ends with one line that says what to do', { timeout: 120_000 }, async () => {
  expect(await refusal('server', {})).toContain('another web server runs on the database of DATABASE_URL');
  expect(await refusal('server', { DATABASE_URL: databaseUrl('of_others') })).toContain(`ALTER DATABASE of_others OWNER TO ${OWNER.user}`);
  expect(await refusal('server', { SMTP_URL: '' })).toContain('SMTP_URL is required with DATABASE_URL');
  expect(await refusal('server', { QUORATE_SECRET_KEY: '' })).toContain('QUORATE_SECRET_KEY is required with DATABASE_URL');
  expect(await refusal('worker', { QUORATE_SECRET_KEY: 'another one, which is as long as the first' })).toContain(
    'QUORATE_SECRET_KEY is not',
  );
});

test('a start with another key on the same server changes nothing there', async () => {
  const passwords = async () => {
    const client = new pg.Client(superuser);
    await client.connect();
    const { rows } = await client.query('select rolname, rolpassword from pg_authid order by rolname');
    await client.end();
    return rows;
  };
  const before = await passwords();
  expect(before).toContainEqual({ rolname: 'supabase_auth_admin', rolpassword: expect.stringContaining('SCRAM-SHA-256') });
  const other = { DATABASE_URL: databaseUrl('second'), QUORATE_SECRET_KEY: 'another one, which is as long as the first' };
  expect(await refusal('server', other)).toContain('QUORATE_SECRET_KEY is not');
  expect(await passwords()).toEqual(before);
});
