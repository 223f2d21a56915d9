import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointNote, checkpointOrigin } from '#app/domain/audit/checkpoint.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { createLogMarks } from '#app/platform/log/log-marks.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const workspace = '0198c0de-0000-7000-8000-000000000001';
const signer = createLogSigner('a secret of this test alone', 'log.test');
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const noteOf = (size: number, by = signer) =>
  checkpointNote({ origin: checkpointOrigin(by.name, workspace), size, root: new Uint8Array(32).fill(size) }, by, sha256);

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quorate-marks-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});
const open = () => createLogMarks({ dataDir, signer, log: quietLog });
const file = () => join(dataDir, 'log-marks', workspace);
const acceptLog = (...args: string[]) => {
  const run = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '..', '..', 'accept-log.ts'), ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, QUORATE_DATA_DIR: dataDir },
    },
  );
  return { code: run.status, said: run.stdout + run.stderr };
};

describe('the marks of what was signed', () => {
  it('outlive the process, for nobody else to read, and are not taken back by one that knows less', async () => {
    const first = await open();
    expect(await first.read(workspace)).toBeNull();
    first.advance(workspace, noteOf(5));
    await first.close();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const second = await open();
    second.advance(workspace, noteOf(4));
    await second.close();
    expect((await (await open()).read(workspace))?.head).toMatchObject({ size: 5 });
  });

  it.each([
    ['empty', ''],
    ['garbled', 'log.test\n5\n'],
    ['another key’s', noteOf(5, createLogSigner('another secret', 'log.test'))],
    ['changed', noteOf(5).replace('\n5\n', '\n4\n')],
  ])('are no mark at all where they are %s, and never a missing one', async (_, text) => {
    const marks = await open();
    writeFileSync(file(), text);
    expect(await marks.read(workspace)).toEqual({ head: null, accepted: false });
  });

  it('are left behind only by a person who says so, once', { timeout: 60_000 }, async () => {
    const marks = await open();
    await marks.replace(workspace, noteOf(7));
    expect(acceptLog()).toMatchObject({ code: 0, said: expect.stringContaining(`${workspace}  7 entries`) });
    expect(acceptLog('0198c0de-0000-7000-8000-000000000002')).toMatchObject({ code: 1, said: expect.stringContaining('There is no mark') });
    expect(acceptLog('../secret-key')).toMatchObject({ code: 2, said: expect.stringContaining('Usage') });
    expect((await marks.read(workspace))?.accepted).toBe(false);
    expect(acceptLog(workspace)).toMatchObject({ code: 0, said: expect.stringContaining('although 7 entries of it were signed before') });
    expect(await marks.read(workspace)).toMatchObject({ head: { size: 7 }, accepted: true });
    await marks.replace(workspace, noteOf(3));
    expect(await marks.read(workspace)).toMatchObject({ head: { size: 3 }, accepted: false });
    expect(readFileSync(file(), 'utf8')).toBe(noteOf(3));
  });
});
