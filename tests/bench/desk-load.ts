import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import type { Line } from '#tests/bench/report.ts';
import { p95, sureTimeOf } from '#tests/bench/screens-load.ts';
import type { ServerUnderTest } from '#tests/bench/server-under-test.ts';
import { type Person, signIn } from '#tests/survival/support/person.ts';

const LIMIT_MS = 150;
const WAITS_WITHIN_MS = 60_000;
const ID = '[0-9a-f-]{36}';

type Account = { email: string; password: string; roles: string[] };

/**
 * The desk of an approver beside very many open approvals: opening the list as it comes, deep, searched by words, by amount and by number,
 * and voting on runs that really wait. One request at a time, on a server that is warm.
 */
export async function measureDesk(
  directory: string,
  server: ServerUnderTest,
  { open, samples, votes }: { open: number; samples: number; votes: number },
): Promise<Line[]> {
  const accounts: Account[] = JSON.parse(readFileSync(join(directory, 'demo-accounts.json'), 'utf8'));
  const origin = server.origin.replace('127.0.0.1', 'localhost');
  const personWith = (role: string) => {
    const account = accounts.find(({ roles }) => roles.includes(role));
    if (account === undefined) throw new Error(`nobody is ${role}`);
    return signIn(origin, account);
  };
  const [builder, approver] = [await personWith('builder'), await personWith('approver')];
  const waiting = await startWaiting(builder, votes);
  const deep = await insertOpen(directory, open);
  const desk = '/dashboard/approvals';
  const paths = {
    'as it opens': desk,
    'three quarters through it': `${desk}?after=open.${deep}`,
    'searched by a payee': `${desk}?q=Payee+4711`,
    'searched by words that nothing holds': `${desk}?q=nobody+wrote+this`,
    'searched by amount': `${desk}?min=4711&max=4711`,
    'searched by number': `${desk}?q=%23504711`,
    'with one of them open': `${desk}/${waiting[0]}`,
  };
  const lines: Line[] = [];
  for (const [what, path] of Object.entries(paths)) {
    lines.push(lineOf(`inbox of ${open.toLocaleString('en')} open approvals, ${what}, p95`, await sureTimeOf(approver, path, samples)));
  }
  const times: number[] = [];
  for (const approval of waiting) times.push(await vote(approver, `${desk}/${approval}`));
  lines.push(lineOf(`a vote beside ${open.toLocaleString('en')} open approvals, p95 of ${votes}`, p95(times)));
  return lines;
}

const lineOf = (what: string, value: number): Line => ({ what, value, unit: 'ms', limit: LIMIT_MS, better: 'less' });

/** Approves what a page shows; answers how long the vote took, in ms. */
async function vote(person: Person, path: string): Promise<number> {
  const served = await (await person.get(path)).text();
  const form = served.slice(served.indexOf('id="decide"'));
  const began = performance.now();
  const answer = await person.post(path, { ...hiddenOf(form.slice(0, form.indexOf('</form>'))), vote: 'approve' });
  await answer.text();
  const took = performance.now() - began;
  if (answer.status !== 303) throw new Error(`a vote was answered with ${answer.status}`);
  return took;
}

const hiddenOf = (form: string): Record<string, string> =>
  Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  );

/** Records requests that wait for an officer; answers their approvals. */
async function startWaiting(builder: Person, count: number): Promise<string[]> {
  const send = async (path: string, values: Record<string, string>): Promise<string> => {
    const served = await (await builder.get(path)).text();
    const answer = await builder.post(path, { ...hiddenOf(served.slice(served.indexOf('<main'))), ...values });
    if (answer.status !== 303) throw new Error(`${path} answered ${answer.status}`);
    return new URL(answer.headers.get('location') ?? '', 'http://server').pathname;
  };
  const workflow = (await send('/dashboard/workflows/new', { name: 'Clearing', template: 'recordsRequest' })).replace(/\/edit$/, '');
  await send(`${workflow}/publish`, {});
  const runs: string[] = [];
  for (let place = 1; place <= count; place += 1)
    runs.push(
      await send(`${workflow}/run`, {
        request: `Please send the minutes of meeting ${place}.`,
        record: 'Minutes.',
        received: '2026-10-01',
        today: '2026-10-12',
      }),
    );
  const approvals: string[] = [];
  for (const run of runs) approvals.push(await untilWaiting(builder, run));
  return approvals;
}

async function untilWaiting(builder: Person, run: string): Promise<string> {
  const until = performance.now() + WAITS_WITHIN_MS;
  for (;;) {
    const served = await (await builder.get(run)).text();
    const [, found] = new RegExp(`href="/dashboard/approvals/(${ID})`).exec(served.slice(served.indexOf('<main'))) ?? [];
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${run} did not wait in time`);
    await pause(100);
  }
}

/** Payments of the demo workspace that wait for a person, each of a run of its own; answers the one that three quarters are due before. */
async function insertOpen(directory: string, count: number): Promise<string> {
  const address = JSON.parse(readFileSync(join(directory, 'database.json'), 'utf8'));
  const password = readFileSync(join(directory, 'database-password'), 'utf8').trim();
  const client = new pg.Client({ ...superuserLogin(address, password), database: address.database });
  await client.connect();
  try {
    await client.query('begin');
    // Triggers are for what happens, and would ask for an event of each.
    await client.query('set local session_replication_role = replica');
    await client.query(
      `create temp table open_payments on commit drop as
       select n, gen_random_uuid() as run, w.id as workspace_id, f.id as artifact_id, f.published_version_id as version_id, m.user_id as asked_by
       from generate_series(1, $1::int) n, quorate.workspaces w
         join lateral (select * from quorate.artifacts a where a.workspace_id = w.id and a.kind = 'workflow' and a.published_version_id is not null
           order by a.id limit 1) f on true
         join lateral (select * from quorate.members x where x.workspace_id = w.id and 'builder' = any (x.roles) order by x.user_id limit 1) m on true
       where w.is_demo`,
      [count],
    );
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, number, subject, waiting_since)
       select run, workspace_id, artifact_id, version_id, 'live', asked_by, 'waiting', 500000 + n, jsonb_build_array('Payee ' || n), now() from open_payments`,
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, created_at, due_at)
       select gen_random_uuid(), workspace_id, run, 'pay', 'Pay', json_build_object('capability', json_build_object('name', 'transfer'), 'input',
           json_build_object('payee', 'Payee ' || n, 'amount', json_build_object('amount', n, 'currency', 'EUR'), 'purpose', 'Invoice ' || n)),
         md5(n::text), '{}', (array['low', 'medium', 'high'])[1 + n % 3], asked_by, asked_by, now() - make_interval(secs => n), now() + make_interval(mins => 1500 + n)
       from open_payments`,
    );
    await client.query('commit');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    const { rows } = await client.query<{ id: string }>(
      `select id from quorate.approvals where title = 'Pay' order by due_at offset $1 limit 1`,
      [Math.floor(count * 0.75)],
    );
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
}
