/** What must hold after every kill, looked up in the database, at the peer and in the log. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { type Person, signIn, signInAs } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Clocks of two processes on one machine, read to the millisecond. */
const TOLERANCE_MS = 5;

/**
 * Every acknowledged run has come to its end, and what its steps called came once to a result. `killsAt`: when something that calls was
 * killed, in milliseconds; between two kills no step calls twice. Returns what was counted.
 */
export async function expectNothingLost(
  instance: Instance,
  peer: CountingPeer,
  acknowledged: readonly string[],
  callsPerRun: number,
  killsAt: readonly number[] = [],
): Promise<{ runs: number; calls: number; calledAgain: number }> {
  await until(
    'the end of every acknowledged run',
    async () => {
      const open = await instance.query<{ id: string; status: string; error: unknown }>(
        `select wanted.id, r.status, r.error from unnest($1::uuid[]) as wanted (id) left join quorate.runs r on r.id = wanted.id where r.status is distinct from 'completed'`,
        [acknowledged],
      );
      const bad = open.filter(({ status }) => status === null || status === 'failed' || status === 'cancelled');
      return open.length === 0 || bad.length > 0 ? { bad } : false;
    },
    180_000,
  ).then(({ bad }) => expect(bad, 'acknowledged runs that are missing or failed').toEqual([]));

  const steps = await instance.query<{ key: string; run_id: string; finished_at: Date }>(
    `select run_id || '/' || path as key, run_id, finished_at from quorate.steps where run_id = any ($1) and kind = 'tool' and status = 'success'`,
    [acknowledged],
  );
  expect(steps).toHaveLength(acknowledged.length * callsPerRun);
  const storedAt = new Map(steps.map((step) => [step.key, step.finished_at.getTime()]));
  const own = new Set(acknowledged);
  const calls = peer.calls.filter((call) => own.has(call.key.slice(0, 36)));
  expect(
    calls.filter((call) => call.at > (storedAt.get(call.key) ?? 0) + TOLERANCE_MS),
    'calls that began after the result of their step was stored',
  ).toEqual([]);
  expect(
    calls.filter((call) => call.key !== call.text),
    'calls under another key than their step’s',
  ).toEqual([]);
  const lives = calls
    .filter((call) => call.answeredAt !== null)
    .map((call) => `${call.key} in life ${killsAt.filter((at) => at < call.at).length}`);
  expect(
    lives.filter((life, place) => lives.indexOf(life) !== place),
    'calls made again though nothing was killed in between',
  ).toEqual([]);
  const answered = new Set(calls.filter((call) => call.answeredAt !== null).map((call) => call.key));
  expect(
    calls.filter((call) => !answered.has(call.key)),
    'calls cut off by a kill that never came again',
  ).toEqual([]);
  const events = await instance.query<{ run: string; started: number; ended: number }>(
    `select resource_id as run, count(*) filter (where action = 'run.started')::int as started, count(*) filter (where action = 'run.completed')::int as ended
     from quorate.audit_events where resource_kind = 'run' and resource_id = any ($1) group by 1 having count(*) filter (where action = 'run.started') <> 1 or count(*) filter (where action = 'run.completed') <> 1`,
    [acknowledged],
  );
  expect(events, 'runs that were started or ended other than once in the log').toEqual([]);
  return { runs: acknowledged.length, calls: calls.length, calledAgain: calls.length - steps.length };
}

/** The whole log, as its auditor downloads it: complete, in the tree, signed, and proven offline. Returns its size. */
export async function expectProvenLog(instance: Instance): Promise<number> {
  await until('a place in the log for every event', async () => {
    const [row] = await instance.query<{ open: number }>(
      `select (select count(*) from quorate.audit_events e join quorate.workspaces w on w.id = e.workspace_id where w.is_demo and e.leaf_index is null)
        + (select count(*) from quorate.audit_events e join quorate.workspaces w on w.id = e.workspace_id where w.is_demo)
        - (select max(c.size) from quorate.checkpoints c join quorate.workspaces w on w.id = c.workspace_id where w.is_demo) as open`,
    );
    return row?.open === 0;
  });
  const auditor = await signInAs(instance.server(), 'auditor');
  const [{ events = 0 } = {}] = await instance.query<{ events: number }>(
    'select count(*)::int as events from quorate.audit_events e join quorate.workspaces w on w.id = e.workspace_id where w.is_demo',
  );
  const key = readFileSync(join(instance.dataDirectory, 'log-key.pub'), 'utf8').trim();
  const whole = { from: 0, until: events - 1 };
  await allowLog(instance, auditor, whole);
  let covered = 0;
  while (covered < events) {
    const evidence = await download(auditor, `/dashboard/audit/evidence/log?from=${covered}&first=0&until=${whole.until}`);
    const report = await verifyEvidence(evidence, { key });
    expect(report.checks.filter((check) => check.state !== 'ok')).toEqual([]);
    const { range } = evidence as { range: { from: number; to: number; of?: number } };
    expect(report.verdict).toBe(range.of === undefined ? 'proven' : 'part');
    expect(range.from).toBe(covered);
    covered = range.to;
  }
  expect(covered).toBe(events);
  return covered;
}

/** Asks whether these entries may leave, as this person, and agrees as the approver of the demo. */
export async function allowLog(instance: Instance, by: Person, { from, until }: { from: number; until: number }): Promise<void> {
  const asked = await by.post(`/dashboard/audit/export?kind=log&from=${from}&until=${until}`, { reason: 'To verify it' });
  const page = asked.headers.get('location') ?? '';
  expect([asked.status, page]).toEqual([303, expect.stringMatching(/^\/dashboard\/changes\//)]);
  const [{ digest = '' } = {}] = await instance.query<{ digest: string }>('select digest from quorate.control_changes where id = $1', [
    page.slice(page.lastIndexOf('/') + 1),
  ]);
  const account = (await instance.server().demoAccounts()).find(({ roles }) => roles.includes('approver'));
  if (account === undefined) throw new Error('nobody approves');
  const approver = await signIn(instance.server().origin, account);
  const agreed = await approver.post(page, { vote: 'approve', digest, password: account.password });
  expect(agreed.status, page).toBe(303);
}

export async function download(person: Person, path: string): Promise<unknown> {
  const answer = await person.get(path);
  expect(answer.status, path).toBe(200);
  return answer.json();
}

/**
 * `npm run verify -- FILE` beside the data directory, whose key it pins. This thread waits without being held up: after seconds of that it
 * would ask the server on connections that the server has given up.
 */
export async function verifyOffline(instance: Instance, evidence: unknown): Promise<{ code: number | null; said: string }> {
  const file = join(instance.dataDirectory, 'evidence-to-verify.json');
  writeFileSync(file, JSON.stringify(evidence));
  const run = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'app', 'verify.ts'), file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, QUORATE_DATA_DIR: instance.dataDirectory },
  });
  const [said, complaints, [code]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
  return { code, said: said + complaints };
}
