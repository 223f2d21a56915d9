/** One server a directory, ended cleanly; and `npm run verify` on what a real instance has written, sound and harmed. */
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { spawnServer } from '#tests/support/running-server.ts';
import { type Arranged, FIVE_CALLS } from '#tests/survival/support/arrange.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { full, keepResult } from '#tests/survival/support/kills.ts';
import { startLoad } from '#tests/survival/support/load.ts';
import { allowLog, download, expectNothingLost, verifyOffline } from '#tests/survival/support/nothing-lost.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';
import { clusterState, postmastersOf, processesOf, SHUT_DOWN } from '#tests/survival/support/processes.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

/** Judged where nothing runs beside it. */
const END_WITHIN_MS = full ? 10_000 : 60_000;

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let builder: Person;
prepareStage({ 'counting-peer': '/mcp' }, (stage) => {
  ({ instance, peer, workspace, builder } = stage);
});

test('a second start on the directory refuses with one line that names the holder, and harms nothing', async () => {
  const [before] = postmastersOf(instance.dataDirectory);
  const second = await spawnServer({
    dataDirectory: instance.dataDirectory,
    settings: { ...instance.settings, PORT: String(await freePort()) },
  });
  const [code] = await once(second.process, 'exit');
  expect(code).toBe(1);
  await until('its words', () => second.output().endsWith('\n'));
  const lines = second.output().trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    new RegExp(
      `^Quorate cannot start: ${instance.dataDirectory} is in use: process ${instance.server().process.pid} has served it since \\d{4}-`,
    ),
  );
  expect(postmastersOf(instance.dataDirectory)).toEqual([before]);
  expect((await fetch(`${instance.origin}/healthz`)).status).toBe(200);
});

describe('evidence of a run and of the log, downloaded and read by the offline command', () => {
  let run: string;
  let auditor: Person;
  beforeAll(async () => {
    const load = startLoad(builder, workspace.workspaceId, await workspace.addWorkflow(FIVE_CALLS));
    await until('runs', () => load.acknowledged.length >= 3);
    await load.stop();
    await expectNothingLost(instance, peer, load.acknowledged, 5);
    run = load.acknowledged[0] ?? '';
    auditor = await signInAs(instance.server(), 'auditor');
    await until('a checkpoint over everything', async () => {
      const [row] = await instance.query<{ open: number }>(
        `select count(*)::int as open from quorate.audit_events e where e.workspace_id = $1 and (e.leaf_index is null
          or e.leaf_index >= (select max(c.size) from quorate.checkpoints c where c.workspace_id = e.workspace_id))`,
        [workspace.workspaceId],
      );
      return row?.open === 0;
    });
  }, 120_000);

  const ofRun = () => download(auditor, `/dashboard/audit/evidence/run/${run}`);
  const ofLog = async () => {
    await allowLog(instance, auditor, { from: 0, until: 4999 });
    return download(auditor, '/dashboard/audit/evidence/log');
  };
  type Bundle = { checkpoints: { size: number; note: string }[]; events: { id: string; leafIndex: number }[] };
  /** A change past every guard, by whoever holds the database. */
  async function harm(text: string, values: unknown[]): Promise<void> {
    await instance.query('alter table quorate.audit_events disable trigger user');
    await instance.query('alter table quorate.steps disable trigger user');
    await instance.query(text, values);
    await instance.query('alter table quorate.audit_events enable trigger user');
    await instance.query('alter table quorate.steps enable trigger user');
  }

  test('as it is: proven', async () => {
    for (const evidence of [await ofRun(), await ofLog()]) expect(await verifyOffline(instance, evidence)).toMatchObject({ code: 0 });
  });

  test('a forged checkpoint is named', async () => {
    const evidence = (await ofLog()) as Bundle;
    const newest = evidence.checkpoints.at(-1);
    if (newest === undefined) throw new Error('no checkpoint');
    newest.note = newest.note.replace(
      /\n([A-Za-z0-9+/]{43}=)\n/,
      (_, rootHash: string) => `\n${rootHash.startsWith('A') ? 'B' : 'A'}${rootHash.slice(1)}\n`,
    );
    const { code, said } = await verifyOffline(instance, evidence);
    expect(code).toBe(1);
    expect(said).toMatch(new RegExp(`FAILED .*${newest.size}`));
  });

  test('a step that was changed in the database is named', async () => {
    await harm(`update quorate.steps set output = '{"done":false}' where run_id = $1 and path = 'a'`, [run]);
    const { code, said } = await verifyOffline(instance, await ofRun());
    expect(code).toBe(1);
    expect(said).toMatch(/FAILED .*\ba\b/);
    await harm(`update quorate.steps set output = '{"done":true}' where run_id = $1 and path = 'a'`, [run]);
    expect((await verifyOffline(instance, await ofRun())).code).toBe(0);
  });

  test('an event that was changed in the database, and one that was dropped from it, are named', async () => {
    const sound = (await ofLog()) as Bundle;
    const [changed, dropped] = [sound.events[1], sound.events[3]];
    if (changed === undefined || dropped === undefined) throw new Error('too few events');
    await harm(`update quorate.audit_events set actor_name = 'Mallory' where id = $1`, [changed.id]);
    await harm('delete from quorate.audit_events where id = $1', [dropped.id]);
    const { code, said } = await verifyOffline(instance, await ofLog());
    expect(code).toBe(1);
    expect(said).toContain(`Entry ${changed.leafIndex} (${changed.id}) was tampered with`);
    expect(said).toContain(`Entry ${dropped.leafIndex} was dropped`);
  });
});

test('SIGTERM under load ends it within ten seconds: the database is shut down cleanly, and no process is left', {
  timeout: 180_000,
}, async () => {
  const workflow = await workspace.addWorkflow(FIVE_CALLS);
  peer.delayMs = 200;
  const load = startLoad(builder, workspace.workspaceId, workflow);
  await until('work under way', () => load.acknowledged.length > 5);
  const began = performance.now();
  const code = await instance.server().stop();
  const tookMs = performance.now() - began;
  const endedAt = Date.now();
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(END_WITHIN_MS);
  expect(clusterState(instance.dataDirectory)).toBe(SHUT_DOWN);
  await until('the end of every process', () => processesOf(instance.dataDirectory).length === 0, 3_000);
  await instance.start();
  await load.stop();
  await expectNothingLost(instance, peer, load.acknowledged, 5, [endedAt]);
  keepResult('SIGTERM under load', { endedWithinMs: Math.round(tookMs), database: 'shut down', processesLeft: 0, lostRuns: 0 });
});
