/** Files of runs: documents that steps make and read, who sees them, and that the content goes with the row. */
import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFileSchema } from '#app/domain/documents/run-file.ts';
import { removeFiles } from '#app/engine/documents/remove-files.ts';
import { createDatabaseFiles } from '#app/platform/files/database-files.server.ts';
import { uploadFile } from '#tests/integration/runs/documents/upload-file.ts';
import { docxOf } from '#tests/support/documents/document-files.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

const table = (more: object = {}) => ({
  id: 'table',
  name: 'Orders',
  kind: 'create_document',
  fileName: 'Orders',
  rows: '=[{"who": "=1+1", "n": 1}]',
  ...more,
});
async function run(steps: object[], input: { [name: string]: string } = {}, at = workspace) {
  const fields = Object.keys(input).map((name) => ({ name, title: name, type: 'text', required: true }));
  const runId = await runs.start(at, await runs.makeWorkflow(at, { steps, input: fields }), input);
  return runs.until(runId, ['completed', 'failed']);
}
const filesOf = async (runId: string) =>
  (await database.owner.query('select * from quorate.run_files where run_id = $1 order by created_at, id', [runId])).rows;
const contentOf = async (name: string) =>
  (await database.owner.query('select content from quorate.files where name = $1', [name])).rows[0]?.content as Buffer | undefined;
const seenBy = (member: TestMember & { workspaceId?: string }, file: string) =>
  database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: member.workspaceId ?? workspace.id }, (db) =>
    db.selectFrom('quorate.run_files').where('id', '=', file).select('id').executeTakeFirst(),
  );

test('a document is stored, and its hash is part of the step’s output and so of the journal', async () => {
  const { id, status, output } = await run([table()]);
  expect(status).toBe('completed');
  const file = runFileSchema.parse(output);
  const [row] = await filesOf(id);
  expect(row).toMatchObject({ id: file.file, name: 'Orders.csv', step_path: 'table', owner_id: workspace.builder.id, sha256: file.sha256 });
  const content = await contentOf(row.stored_name);
  expect(content?.toString()).toBe(`\uFEFFwho,n\r\n"'=1+1",1\r\n`);
  expect(
    createHash('sha256')
      .update(content ?? '')
      .digest('hex'),
  ).toBe(file.sha256);
  const [step] = await runs.steps(id);
  expect(step).toMatchObject({ status: 'success', reason: { key: 'documentMade', values: { name: 'Orders.csv' } } });
  expect(step.output_digest).toMatch(/^[0-9a-f]{64}$/);
});

test('each item of a loop has a file of its own; a document that names what is not there fails its step, and the run continues', async () => {
  const each = { id: 'each', name: 'Each', kind: 'for_each', items: '=["a", "b"]' };
  const letter = table({ format: 'html', fileName: '=item', template: 'Dear {{ item }},\n{{ steps.none }}', onError: 'continue' });
  const { id, status } = await run([{ ...each, branches: [{ label: 'each', steps: [table({ id: 'one', fileName: '=item' }), letter] }] }]);
  expect(status).toBe('completed');
  expect((await filesOf(id)).map((row) => row.name).sort()).toEqual(['a.csv', 'b.csv']);
  const failed = (await runs.steps(id)).filter((step) => step.status === 'error');
  expect(failed.map(({ error }) => error)).toEqual(
    Array(2).fill(expect.objectContaining({ key: 'documentNothingThere', values: { expression: 'steps.none' } })),
  );
});

test('a file is seen by whoever sees its run, and by nobody else', async () => {
  const { output } = await run([table()]);
  const { file } = runFileSchema.parse(output);
  expect(await seenBy(workspace.builder, file)).toEqual({ id: file });
  expect(await seenBy(workspace.approver, file)).toEqual({ id: file });
  const { members, id } = await runs.makeWorkspace();
  const [stranger] = members;
  if (stranger === undefined) throw new Error('no members');
  expect(await seenBy({ ...stranger, workspaceId: id }, file)).toBeUndefined();
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2`, [
      workspace.id,
      workspace.approver.id,
    ]);
  });
  expect(await seenBy(workspace.approver, file)).toBeUndefined();
});

test('a file that a step has made is read by another, its hash in both', async () => {
  const reads = { id: 'reads', name: 'Read', kind: 'read_document', file: '=steps.table' };
  const { id, status, output } = await run([table(), reads]);
  expect(status).toBe('completed');
  expect(output).toMatchObject({ kind: 'csv', columns: ['who', 'n'], rows: [{ who: "'=1+1", n: '1' }], cut: null });
  const [made, read] = await runs.steps(id);
  expect(read).toMatchObject({ reason: { key: 'documentRead' }, input: { name: 'Orders.csv', sha256: made.output.sha256 } });
});

test('a file that is refused, gone, changed or of others fails its step and says why; the worker reads the next', async () => {
  const reads = (file: string, id = 'reads') => ({ id, name: 'Read', kind: 'read_document', file, onError: 'continue' });
  const macro = docxOf(['x'], [{ name: 'word/vbaProject.bin', content: 'x' }]).toString('base64');
  const theirs = await runs.makeWorkspace();
  const { output: foreign } = await run([table()], {}, theirs);
  const { output: own } = await run([table()]);
  const { file } = runFileSchema.parse(own);
  await database.owner.query(
    `update quorate.files f set content = 'x' from quorate.run_files r where r.id = $1 and f.name = r.stored_name`,
    [file],
  );
  const { id, status } = await run([
    reads(`={"name": "a.docx", "base64": "${macro}"}`, 'macro'),
    reads(`="${runFileSchema.parse(foreign).file}"`, 'foreign'),
    reads(`="${file}"`, 'changed'),
    reads('=run.id', 'unknown'),
    reads('=42', 'none'),
    { ...reads(`={"name": "a.txt", "base64": "${Buffer.from('Hello').toString('base64')}"}`, 'good'), onError: 'fail' },
  ]);
  expect(status).toBe('completed');
  const steps = await runs.steps(id);
  expect(steps.map((step) => [step.step_id, step.error?.key ?? step.output.text])).toEqual([
    ['macro', 'readMacros'],
    ['foreign', 'readFileGone'],
    ['changed', 'readFileChanged'],
    ['unknown', 'readFileGone'],
    ['none', 'readNoFile'],
    ['good', 'Hello'],
  ]);
});

const upload = (name: string, content: string | Buffer, scanned: 'clean' | 'refused' | 'unavailable' = 'clean') =>
  uploadFile({ database, runs, workspace }, name, content, scanned);

test('an upload is checked by its content and by the scanner; what is refused is not kept', async () => {
  const { rows: before } = await database.owner.query('select count(*) from quorate.run_files');
  expect(await upload('a.pdf', 'hello')).toEqual({ fault: 'fileKind' });
  expect(await upload('a.txt', '')).toEqual({ fault: 'fileEmpty' });
  expect(await upload('a.txt', Buffer.alloc(10_485_761, 'a'))).toEqual({ fault: 'fileTooLarge' });
  expect(await upload('a.txt', 'x', 'refused')).toEqual({ fault: 'fileRefused' });
  expect(await upload('a.txt', 'x', 'unavailable')).toEqual({ fault: 'fileNotScanned' });
  expect((await database.owner.query('select count(*) from quorate.run_files')).rows).toEqual(before);
});

test('a run takes the upload of who starts it, says of it what the database says, and reads it', async () => {
  const file = runFileSchema.parse(await upload('C:\\invoice.txt', 'Total 7'));
  expect(file.name).toBe('C-invoice.txt');
  const fields = [{ name: 'invoice', title: 'Invoice', type: 'file', required: true }];
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [{ id: 'reads', name: 'Read', kind: 'read_document', file: '=input.invoice' }],
    input: fields,
  });
  const lie = { ...file, sha256: 'f'.repeat(64), name: 'other.txt' };
  const runId = await runs.start(workspace, workflow, { invoice: lie });
  const ended = await runs.until(runId, ['completed', 'failed']);
  expect(ended).toMatchObject({ status: 'completed', input: { invoice: file }, output: { text: 'Total 7', sha256: file.sha256 } });
  expect((await filesOf(runId)).map(({ id }) => id)).toEqual([file.file]);
  // An upload of nobody, and one of another workspace.
  await expect(runs.start(workspace, workflow, { invoice: { file: newId() } })).rejects.toThrow(/invalid_input/);
  const { output: foreign } = await run([table()], {}, await runs.makeWorkspace());
  await expect(runs.start(workspace, workflow, { invoice: foreign })).rejects.toThrow(/invalid_input/);
});

test('an upload that no run takes is gone after a day', async () => {
  const { file } = runFileSchema.parse(await upload('a.txt', 'x'));
  await database.owner.query(`update quorate.run_files set created_at = now() - interval '25 hours' where id = $1`, [file]);
  const removed = () =>
    removeFiles({ asApp: (work) => database.database.app(work), files: createDatabaseFiles(database.database, newId), log: quietLog });
  expect(await removed()).toBeGreaterThan(0);
  expect((await database.owner.query('select 1 from quorate.run_files where id = $1', [file])).rows).toEqual([]);
});

test('a run keeps no more than its share, and says so at the step', async () => {
  const { id } = await run([table()]);
  const { rows } = await database.owner.query(
    `insert into quorate.run_files (id, workspace_id, run_id, step_path, owner_id, name, media_type, size, sha256, stored_name)
     select gen_random_uuid(), workspace_id, run_id, 'x' || n, owner_id, name, media_type, 10485760, sha256, 'x' || n
     from quorate.run_files, generate_series(1, 10) n where run_id = $1 and step_path = 'table' returning id`,
    [id],
  );
  expect(rows).toHaveLength(10);
  await database.owner
    .query(`update quorate.runs set status = 'processing', claimed_by = $2 where id = $1`, [id, newId()])
    .catch(() => undefined);
  const { rows: kept } = await database.owner.query(
    `select quorate.keep_run_file($1, $2, (select attempt from quorate.runs where id = $2), 'more', $3, null) as a`,
    [
      workspace.id,
      id,
      JSON.stringify({ id: newId(), name: 'a', mediaType: 'text/csv', size: 1, sha256: 'a'.repeat(64), storedName: 'more' }),
    ],
  );
  expect(kept[0].a).toEqual({ state: 'full' });
});

test('with the row goes the content, in the database at once and in any other store by the next sweep', async () => {
  const gone = await runs.makeWorkspace();
  const { id } = await run([table()], {}, gone);
  const [row] = await filesOf(id);
  expect(await contentOf(row.stored_name)).toBeDefined();
  await database.owner.query('delete from quorate.run_files where id = $1', [row.id]);
  expect(await contentOf(row.stored_name)).toBeUndefined();
  const removed: string[][] = [];
  const files = {
    ...createDatabaseFiles(database.database, newId),
    remove: async (names: readonly string[]) => void removed.push([...names]),
  };
  const sweep = () => removeFiles({ asApp: (work) => database.database.app(work), files, log: quietLog });
  while ((await sweep()) > 0);
  expect(removed.flat()).toContain(row.stored_name);
});
