/** The figures of the instance, as Prometheus is told them: true to what stands in the database, and for the worker's role alone. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Family } from '#app/domain/metrics/exposition.ts';
import { readMetrics } from '#app/engine/health/read-metrics.ts';
import { openMetrics } from '#app/platform/metrics/instance-metrics.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
  workspace = await fixture.makeWorkspace();
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const read = () => readMetrics((query) => database.database.workerPool.query(query));
function figureOf(families: readonly Family[], name: string, labels?: Record<string, string>): number | undefined {
  const samples = families.find((family) => family.name === name)?.samples ?? [];
  return samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;
}

test('say what is open, for how long, and zero where there is nothing', async () => {
  const before = await read();
  expect(figureOf(before, 'quorate_runs_open', { status: 'waiting' })).toBe(0);
  expect(figureOf(before, 'quorate_runs_ready_oldest_seconds')).toBe(0);
  expect(figureOf(before, 'quorate_workspaces', { state: 'halted' })).toBe(0);
  expect(figureOf(before, 'quorate_audit_log_alarms')).toBe(0);

  const { artifactId, versionId } = await fixture.makeWorkflow(workspace, {});
  await database.arrange(workspace.id, async (client) => {
    const statuses = [
      ['pending', 40],
      ['pending', 10],
      ['waiting', 90],
      ['completed', 500],
    ] as const;
    for (const [status, seconds] of statuses)
      await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, finished_at)
         values (gen_random_uuid(), $1, $2, $3, 'live', $4, $5, now() - make_interval(secs => $6),
           case when $5 = 'completed' then now() end)`,
        [workspace.id, artifactId, versionId, workspace.builder.id, status, seconds],
      );
    await client.query('update quorate.workspaces set halted_at = now() where id = $1', [workspace.id]);
  });
  const after = await read();
  expect(figureOf(after, 'quorate_runs_open', { status: 'pending' })).toBe(2);
  expect(figureOf(after, 'quorate_runs_open', { status: 'waiting' })).toBe(1);
  expect(figureOf(after, 'quorate_runs_ready')).toBe(2);
  expect(figureOf(after, 'quorate_runs_ready_oldest_seconds')).toBeGreaterThanOrEqual(40);
  expect(figureOf(after, 'quorate_runs_ready_oldest_seconds')).toBeLessThan(90);
  expect(figureOf(after, 'quorate_workspaces', { state: 'halted' })).toBe(1);
  expect(figureOf(after, 'quorate_database_bytes')).toBeGreaterThan(1_000_000);
});

test('are read by no member, whoever holds the login', async () => {
  const [member] = workspace.members;
  if (member === undefined) throw new Error('nobody is there');
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id };
  const asked = database.database.asMember(who, (db) => sql`select * from quorate.read_metrics()`.execute(db));
  await expect(asked).rejects.toMatchObject({ code: 'forbidden' });
});

test('are told without the database too: that it does not answer', async () => {
  const readInstance = () => Promise.reject(new Error('no database'));
  const said: string[] = [];
  const metrics = openMetrics({ pools: () => [], readInstance, log: { error: (message) => void said.push(message) } });
  const families = await metrics.read();
  expect(said).toEqual(['the figures of the instance were not read']);
  metrics.stop();
  expect(figureOf(families, 'quorate_database_up')).toBe(0);
  expect(figureOf(families, 'quorate_runs_ready')).toBeUndefined();
  expect(figureOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('are read once for all looks at the same time', async () => {
  let reads = 0;
  const answer = Promise.withResolvers<Family[]>();
  const readInstance = () => {
    reads += 1;
    return answer.promise;
  };
  const metrics = openMetrics({ pools: () => [], readInstance, log: { error: () => undefined } });
  const looks = [metrics.read(), metrics.read()];
  answer.resolve([]);
  for (const families of await Promise.all(looks)) expect(figureOf(families, 'quorate_database_up')).toBe(1);
  expect(reads).toBe(1);
  await metrics.read();
  metrics.stop();
  expect(reads).toBe(2);
});
