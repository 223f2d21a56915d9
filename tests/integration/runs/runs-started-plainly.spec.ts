/** A key's start by one statement: what it writes is what the long way writes, and where anything is in its way it writes nothing. */
import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyAccess } from '#app/contracts/access.ts';
import type { PlainStart } from '#app/contracts/runs.ts';
import { startServedRun } from '#app/engine/serving/served-runs.ts';
import { openKeyAccess } from '#app/runtime.server.ts';
import { memoryFiles } from '#tests/support/documents/memory-files.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
type Workflow = Awaited<ReturnType<RunFixture['makeWorkflow']>>;
let workflow: Workflow;
beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  workflow = await runs.makeWorkflow(workspace, {
    subject: 'Always {{ 4 + 5 }}',
    steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }],
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

async function openKey(where = workspace, scopes = ['runs:start']) {
  const hash = createHash('sha256').update(randomBytes(16)).digest();
  await database.arrange(where.id, async (client) => {
    await client.query(
      `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Program', 'qk', $4, $5)`,
      [newId(), where.id, where.builder.id, hash, scopes],
    );
  });
  return openKeyAccess(database.database, hash, { paceCeiling: 600, serves: true });
}
const plain = ({ artifactId, versionId }: Workflow) => ({
  artifactId,
  versionId,
  triggerKind: 'mcp',
  input: { z: 1, a: 2 },
  subject: null as PlainStart['subject'],
  requestKey: null as string | null,
  name: 'Test workflow',
  room: 200,
  place: 128,
  belowQuota: null as { since: Date; below: number } | null,
});

async function startedBy(access: KeyAccess, start: PlainStart): Promise<string> {
  const started = await access.startPlainly(start);
  if (started === null) throw new Error('something was in its way');
  return started.runId;
}

/** Everything that a start writes, without what differs from start to start. */
async function writtenFor(runId: string) {
  const one = async (table: string, where: string, but: string[]) => {
    const { rows } = await database.owner.query(`select to_jsonb(x) - $2::text[] as row from ${table} x where ${where}`, [runId, but]);
    expect(rows).toHaveLength(1);
    return JSON.parse(JSON.stringify(rows[0].row).replaceAll(runId, 'the run'));
  };
  const { rows } = await database.owner.query('select input::text from quorate.runs where id = $1', [runId]);
  return {
    input: rows[0].input,
    run: await one('quorate.runs', 'id = $1', ['created_at', 'updated_at', 'request_key', 'number']),
    event: await one('quorate.audit_events', 'resource_id = $1::text', ['id', 'at', 'xid', 'salt']),
    job: await one('pgboss.job', `data ->> 'runId' = $1::text`, ['id', 'priority', 'created_on', 'start_after', 'keep_until']),
    keptFor: (
      await database.owner.query(`select (keep_until - start_after)::text as kept from pgboss.job where data ->> 'runId' = $1::text`, [
        runId,
      ])
    ).rows,
  };
}

test('writes the run, the job and the event that the long way writes', async () => {
  const access = await openKey();
  const { enqueueRun, admitRun } = runs;
  const sealer = { seal: () => new Uint8Array(), open: () => '' };
  // too many wait in all, as far as the short way knows
  const engine = { enqueueRun, admitRun, sealer, openStart: async () => null };
  const empty = { ...plain(workflow), input: {} };
  const { artifactId, versionId, document } = workflow;
  const { runId } = await startServedRun(
    access,
    { engine, files: memoryFiles(), scanFile: async () => 'clean', newId, now: () => new Date() },
    {
      workflow: { id: artifactId, versionId, document, name: empty.name, description: '', version: 1 },
      input: {},
      triggerKind: 'mcp',
      requestKey: null,
    },
  );
  const other = await startedBy(access, { ...empty, subject: ['Always ', 9] });
  expect(await writtenFor(other)).toEqual(await writtenFor(runId));
  expect((await writtenFor(await startedBy(access, plain(workflow)))).input).toBe('{"z":1,"a":2}');
  const jobs = await database.owner.query(`select priority from pgboss.job where data ->> 'runId' = $1`, [other]);
  expect(jobs.rows).toEqual([{ priority: -128 }]);
});

test('writes the job that pg-boss writes, and for no other workspace', async () => {
  const [ours, theirs] = [newId(), newId()];
  await runs.queue.send([{ runId: ours, workspaceId: workspace.id }]);
  await runs.queue.send([{ runId: theirs, workspaceId: workspace.id }], { startAfter: new Date(Date.now() + 60_000) });
  const jobOf = async (runId: string) => {
    const { rows } = await database.owner.query(
      `select to_jsonb(j) - '{id,priority,created_on,start_after,keep_until,data}'::text[] as job, (keep_until - start_after)::text as kept from pgboss.job j where data ->> 'runId' = $1`,
      [runId],
    );
    expect(rows).toHaveLength(1);
    return rows[0];
  };
  expect(await jobOf(ours)).toEqual(await jobOf(theirs));
  const elsewhere = await runs.makeWorkspace();
  const member = { userId: workspace.builder.id, sessionId: workspace.builder.sessionId, workspaceId: workspace.id };
  const enqueue = database.database.asMember(member, (db) => runs.enqueueRun(db, { id: newId(), workspaceId: elsewhere.id }));
  await expect(enqueue).rejects.toMatchObject({ code: 'forbidden' });
});

test('writes nothing where the workspace is halted, the workflow rests, too many wait, the quota is near or the request key was used', async () => {
  const where = await runs.makeWorkspace();
  const here = await runs.makeWorkflow(where, { steps: [] });
  const access = await openKey(where);
  const start = plain(here);
  const used = { ...start, requestKey: 'once' };
  expect(await access.startPlainly(used)).not.toBeNull();
  const since = new Date(Date.now() - 60_000);
  const count = async () =>
    (
      await database.owner.query(
        `select (select count(*)::int from quorate.runs where workspace_id = $1) as runs, (select count(*)::int from pgboss.job where data ->> 'workspaceId' = $1::text) as jobs,
           (select count(*)::int from quorate.audit_events where workspace_id = $1 and action = 'run.started') as events`,
        [where.id],
      )
    ).rows[0];
  expect(await count()).toEqual({ runs: 1, jobs: 1, events: 1 });
  for (const refused of [
    used,
    { ...start, room: 1 },
    { ...start, room: 0 },
    { ...start, belowQuota: { since, below: 1 } },
    { ...start, artifactId: newId() },
    { ...start, ...(await runs.makeWorkflow(workspace, { steps: [] })) },
  ])
    expect(await access.startPlainly(refused)).toBeNull();
  const put = (text: string, id: string) =>
    database.arrange(where.id, async (client) => void (await client.query(`update quorate.${text} where id = $1`, [id])));
  await put(`artifacts set status = 'inactive'`, here.artifactId);
  expect(await access.startPlainly(start)).toBeNull();
  await put(`artifacts set status = 'active'`, here.artifactId);
  await put('workspaces set halted_at = now()', where.id);
  expect(await access.startPlainly(start)).toBeNull();
  await put('workspaces set halted_at = null', where.id);
  expect(await count()).toEqual({ runs: 1, jobs: 1, events: 1 });
  expect(await access.startPlainly({ ...start, belowQuota: { since, below: 2 } })).not.toBeNull();
  expect(await count()).toEqual({ runs: 2, jobs: 2, events: 2 });
});

test('is refused to a key that may not start, and to one that was revoked since it called', async () => {
  const reading = await openKey(workspace, ['runs:read', 'workflows:read']);
  await expect(reading.startPlainly(plain(workflow))).rejects.toMatchObject({ code: 'forbidden' });
  const access = await openKey();
  await database.arrange(
    workspace.id,
    async (client) => void (await client.query('update quorate.api_keys set revoked_at = now() where id = $1', [access.key.id])),
  );
  await expect(access.startPlainly(plain(workflow))).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('two with one request key at the same moment start one run', async () => {
  const access = await openKey();
  const started = await Promise.all(
    Array.from({ length: 4 }, () => access.startPlainly({ ...plain(workflow), requestKey: 'at the same moment' })),
  );
  expect(started.filter((run) => run !== null)).toHaveLength(1);
});
