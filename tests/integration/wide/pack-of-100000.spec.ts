/** A pack of 100,000 records streams in under 60 s and 150 MB, and the verifier reads it (decision 61). */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { type JournalDecision, type JournalStep, journalEntry } from '#app/engine/audit/journal-hash.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';
import type { PackMeasured, PackTask } from '#tests/integration/support/pack-process.ts';
import { insertHistory } from '#tests/integration/support/run-history.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const SIGNER = { secret: 'a secret of this test alone', name: 'log.test' };
const signer = createLogSigner(SIGNER.secret, SIGNER.name);
/** Two decisions each, of which one in twenty is a test's and left out; and the entry that closes it. */
const RUNS = 28_000;
/** Entries beside those of the runs. */
const ENTRIES = 20_000;
const UNTIL = new Date('2026-11-01T00:00:00Z');
const AT_ONCE = 2_000;

let db: TestDatabase;
let workspace: string;
let auditor: TestMember;
let directory: string;

beforeAll(async () => {
  db = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'quorate-pack-'));
  const made = await db.makeWorkspace({ members: [{ roles: ['builder'] }, { roles: ['auditor'] }] });
  workspace = made.id;
  const [builder, reader] = made.members as [TestMember, TestMember];
  auditor = reader;
  const [artifactId, versionId] = [newId(), newId()];
  await db.arrange(workspace, async (client) => {
    await client.query(
      "insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Screening', $3)",
      [artifactId, workspace, builder.id],
    );
    await client.query(
      "insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)",
      [versionId, workspace, artifactId, builder.id],
    );
    const peer = { connectionId: newId(), capabilityId: newId() };
    await insertHistory(client, {
      ...{ workspaceId: workspace, initiatorId: builder.id, artifactId, versionId, tool: peer, agent: peer },
      ...{ runs: RUNS, days: 30, until: UNTIL },
    });
  });
  const client = await db.owner.connect();
  await client.query('begin; alter table quorate.audit_events disable trigger audited');
  await client.query(
    `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, at)
     select gen_random_uuid(), $1, 'system', 'policy.draftSaved', 'policy', $2, $3::timestamptz - n * interval '2 minutes'
     from generate_series(1, $4::int) n`,
    [workspace, newId(), UNTIL, ENTRIES],
  );
  const { rows: runs } = await client.query<{ id: string }>('select id from quorate.runs where workspace_id = $1', [workspace]);
  for (let n = 0; n < runs.length; n += AT_ONCE) {
    const ids = runs.slice(n, n + AT_ONCE).map(({ id }) => id);
    const steps = await client.query<JournalStep & { run_id: string }>('select * from quorate.steps where run_id = any($1)', [ids]);
    const decisions = await client.query<JournalDecision & { run_id: string }>('select * from quorate.decisions where run_id = any($1)', [
      ids,
    ]);
    const of = <T extends { run_id: string }>(rows: T[]) => Map.groupBy(rows, ({ run_id }) => run_id);
    const [stepsOf, decisionsOf] = [of(steps.rows), of(decisions.rows)];
    const payloads = ids.map((id) => JSON.stringify(journalEntry(stepsOf.get(id) ?? [], decisionsOf.get(id) ?? [])));
    await client.query(
      `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, payload, at)
       select gen_random_uuid(), $1, 'worker', 'run.completed', 'run', r.id::text, p.payload::jsonb, r.finished_at
       from unnest($2::uuid[], $3::text[]) p (id, payload) join quorate.runs r on r.id = p.id`,
      [workspace, ids, payloads],
    );
  }
  await client.query('alter table quorate.audit_events enable trigger audited; commit');
  client.release();
  while ((await db.database.asWorker(workspace, (tx) => placeEvents(tx, workspace, signer, null))).more);
  await db.owner.query('analyze');
}, 900_000);
afterAll(async () => {
  await db.close();
  await rm(directory, { recursive: true, force: true });
});

async function measure(kind: PackTask['kind']): Promise<PackMeasured & { file: string }> {
  const task: PackTask = {
    login: db.appLogin,
    who: { userId: auditor.id, sessionId: auditor.sessionId, workspaceId: workspace },
    question: { framework: 'iso-42001', from: '2026-10-01', until: '2026-11-01', seed: 'measured' },
    ...{ at: '2026-11-15T00:00:00Z', signer: SIGNER, kind, file: join(directory, kind) },
  };
  const program = join(projectRoot(), 'tests/integration/support/pack-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program, JSON.stringify(task)]);
  return { ...JSON.parse(stdout), file: task.file };
}

test.each(['pack', 'csv'] as const)(
  'as %s in under 60 s and 150 MB',
  async (kind) => {
    const { seconds, grownMb, fileMb } = await measure(kind);
    process.stdout.write(`${kind}: ${seconds.toFixed(1)} s, ${grownMb.toFixed(0)} MB more, a file of ${fileMb.toFixed(1)} MB\n`);
    expect(seconds).toBeLessThan(60);
    expect(grownMb).toBeLessThan(150);
  },
  300_000,
);

test('and is proven', async () => {
  const { file } = await measure('pack');
  const bundle = JSON.parse(await readFile(file, 'utf8'));
  expect(bundle.pack.records.length).toBeGreaterThan(100_000);
  const key = vkey(signer.name, signer.publicKey, (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));
  const started = performance.now();
  const { verdict, checks } = await verifyEvidence(bundle, { key });
  process.stdout.write(`verified in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  expect([verdict, checks.filter(({ state }) => state !== 'ok' && state !== 'unknown')]).toEqual(['proven', []]);
}, 300_000);
