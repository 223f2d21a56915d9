/** A text shows on the pages that look on while it is written, and stands in no journal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';
import { createAnnouncer } from '#app/engine/runs/waiting/announce-changes.ts';
import { createAskPartialTexts } from '#app/engine/runs/waiting/partial-texts.ts';
import { collectChanges } from '#app/engine/runs/waiting/report-changes.ts';
import { createRunWatcher } from '#app/engine/runs/waiting/run-changes.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
const statement: Statement = (query) => database.database.workerPool.query(query);

/** Calls by run: `write` hands a piece over, `end` answers. Each call is one of these, as long as the test wants. */
type Writing = { write(piece: string): void; end(text: string): void };
const calls: Writing[] = [];
const peer: CallPeer = ({ onText }) =>
  new Promise((resolve) => {
    calls.push({
      write: (piece) => onText?.(piece),
      end: (text) => resolve({ output: { text, finishReason: 'stop' }, protocolVersion: '' }),
    });
  });
const watched: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'small', kind: 'model' })).slug;
  // A worker of another process: what it tells comes by the database alone.
  await runs.startWorker(peer, { report: collectChanges(createAnnouncer({ statement, log: quietLog }).announce) });
});
afterAll(async () => {
  for (const stop of watched) await stop();
  await runs?.close();
  await database?.close();
});

const rows = async (runId: string) =>
  (await database.owner.query('select path, chars, text from quorate.partial_texts where run_id = $1', [runId])).rows;

async function startWriting(step: { schema?: string } = {}): Promise<{ runId: string; call: Writing }> {
  const model = { id: 'write', name: 'Write', kind: 'model', connection: slug, capability: 'small', input: { prompt: 'Write' }, ...step };
  const before = calls.length;
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [model] }));
  await expect.poll(() => calls.length).toBe(before + 1);
  const call = calls[before];
  if (call === undefined) throw new Error('nothing was called');
  return { runId, call };
}
const ask = (runId: string) => createAskPartialTexts(statement)({ runId, workspaceId: workspace.id });

describe('a text under way', () => {
  test('is told of across processes, read as it grows, and gone when its result stands', async () => {
    const { runId, call } = await startWriting();
    const watcher = createRunWatcher({ statement, listen: database.database.listen, log: quietLog });
    watched.push(() => watcher.stop());
    let told = 0;
    const changes: string[] = [];
    watcher.watch(
      { runId, workspaceId: workspace.id },
      (change) => changes.push(change),
      () => {
        told += 1;
      },
    );
    await expect.poll(() => changes).toContain('processing');
    await ask(runId);
    call.write('Dear');
    await expect.poll(() => rows(runId)).toEqual([{ path: 'write', chars: 4, text: 'Dear' }]);
    await expect.poll(() => told).toBeGreaterThan(0);
    call.write(' all');
    await expect.poll(() => rows(runId)).toEqual([{ path: 'write', chars: 8, text: 'Dear all' }]);
    const { rows: journal } = await database.owner.query('select output from quorate.steps where run_id = $1', [runId]);
    expect(journal).toEqual([{ output: null }]);
    call.end('Dear all,');
    await runs.until(runId, ['completed']);
    await expect.poll(() => rows(runId)).toEqual([]);
    expect(changes).not.toContain('text');
  });

  test('is written for nobody who does not look, and shows whole to who begins to', async () => {
    const { runId, call } = await startWriting();
    const looked = await startWriting();
    await ask(looked.runId);
    call.write('Dear');
    looked.call.write('Other');
    await expect.poll(() => rows(looked.runId)).toHaveLength(1);
    expect(await rows(runId)).toEqual([]);
    await ask(runId);
    await expect.poll(() => rows(runId)).toEqual([{ path: 'write', chars: 4, text: 'Dear' }]);
    call.end('Dear');
    looked.call.end('Other');
    await runs.until(runId, ['completed']);
  });

  test('keeps its end where it is long, and nothing that cannot be stored', async () => {
    const { runId, call } = await startWriting();
    await ask(runId);
    call.write(`\u0000${'a'.repeat(20_000)}`);
    call.write('b\u0000\ud800');
    await expect.poll(() => rows(runId)).toEqual([{ path: 'write', chars: 20_004, text: `${'a'.repeat(15_997)}b\ufffd\ufffd` }]);
    call.end('done');
    await runs.until(runId, ['completed']);
  });

  test('tells its length alone where a schema may still refuse it', async () => {
    const { runId, call } = await startWriting({ schema: '{"type":"object"}' });
    await ask(runId);
    call.write('{"secret":');
    await expect.poll(() => rows(runId)).toEqual([{ path: 'write', chars: 10, text: null }]);
    call.end('{}');
    await runs.until(runId, ['completed', 'failed']);
  });

  test('is read by those alone who may see its run', async () => {
    const { runId, call } = await startWriting();
    await ask(runId);
    call.write('Dear');
    await expect.poll(() => rows(runId)).toHaveLength(1);
    const other = await runs.makeWorkspace();
    const readAs = (where: Workspace, member: Workspace['builder']) =>
      database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: where.id }, (db) =>
        db.selectFrom('quorate.partial_texts').where('run_id', '=', runId).select('text').execute(),
      );
    expect(await readAs(workspace, workspace.builder)).toEqual([{ text: 'Dear' }]);
    expect(await readAs(other, other.builder)).toEqual([]);
    // Nor does another workspace make it be written.
    await createAskPartialTexts(statement)({ runId, workspaceId: other.id });
    const { rows: readers } = await database.owner.query('select workspace_id from quorate.text_readers where run_id = $1', [runId]);
    expect(readers).toEqual([{ workspace_id: workspace.id }]);
    call.end('Dear');
    await runs.until(runId, ['completed']);
  });
});
