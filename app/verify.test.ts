import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifierFiles } from '#app/verify/verifier-files.ts';
import evidence from '#tests/support/evidence-sample.json' with { type: 'json' };

// A bundle kept as written: evidence that was proven once must stay proven in every later version.
const root = join(import.meta.dirname, '..');
let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-verify-'));
  program = join(folder, 'alone', 'quorate-verify.mjs');
  mkdirSync(join(folder, 'alone'));
  writeFileSync(program, (await verifierFiles()).get('quorate-verify.mjs') ?? '');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function verify(bundle: unknown, ...options: string[]) {
  const file = join(folder, 'evidence.json');
  writeFileSync(file, typeof bundle === 'string' ? bundle : JSON.stringify(bundle));
  const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'app', 'verify.ts'), file, ...options], {
    encoding: 'utf8',
    env: { ...process.env, QUORATE_DATA_DIR: folder },
  });
  if (!existsSync(join(folder, 'log-key.pub'))) expect(alone(file, options)).toEqual({ code: run.status, said: run.stdout });
  return { code: run.status, said: run.stdout + run.stderr };
}

/** By the one file, in a folder of its own and with no setting: on everything that the command is asked here. */
function alone(file: string, options: string[]) {
  const run = spawnSync(process.execPath, [program, file, ...options], { encoding: 'utf8', cwd: join(folder, 'alone'), env: {} });
  return { code: run.status, said: run.stdout };
}

// Each starts a process of its own, which is slow on a busy machine.
describe('npm run verify', { timeout: 60_000 }, () => {
  it('proves with the key given, and with the key that the server of this machine wrote', () => {
    expect(verify(evidence, '--key', evidence.log.key)).toMatchObject({ code: 0, said: expect.stringContaining('Proven: everything') });
    writeFileSync(join(folder, 'log-key.pub'), `${evidence.log.key}\n`);
    expect(verify(evidence).code).toBe(0);
    rmSync(join(folder, 'log-key.pub'));
  });

  it('refuses to call anything proven without a pinned key', () => {
    expect(verify(evidence)).toMatchObject({ code: 2, said: expect.stringContaining('key not pinned') });
  });

  it('says which row was tampered with and which was dropped', () => {
    const changed = structuredClone(evidence);
    const [event] = changed.events.splice(2, 1);
    const first = changed.events[0];
    if (first === undefined || event === undefined) throw new Error('the sample is too small');
    first.body.actor.name = 'Mallory';
    const { code, said } = verify(changed, '--key', evidence.log.key);
    expect(code).toBe(1);
    expect(said).toContain(`Entry 0 (${first.id}) was tampered with`);
    expect(said).toContain('Entry 2 was dropped');
  });

  it('calls a file from which something was cut off or blanked incomplete, and a named part proven as a part', () => {
    const cut = { ...evidence, events: evidence.events.slice(0, 3), range: { from: 0, to: 3 } };
    const key = ['--key', evidence.log.key];
    expect(verify(cut, ...key)).toMatchObject({ code: 2, said: expect.stringContaining('does not cover the whole log of 6 entries') });
    expect(verify({ ...cut, events: [], range: { from: 0, to: 0 } }, ...key).code).toBe(2);
    const blanked = { ...evidence, events: evidence.events.map((event) => ({ ...event, body: null, salt: null })) };
    expect(verify(blanked, ...key)).toMatchObject({
      code: 2,
      said: expect.stringContaining('no entry in this file says that it was erased'),
    });
    const part = verify({ ...cut, range: { from: 0, to: 3, of: 6 } }, ...key);
    expect(part).toMatchObject({ code: 0, said: expect.stringContaining('entries 0 to 2 of a log of 6 entries') });
    expect(part.said).not.toContain('Proven: everything');
  });

  it('compares with a checkpoint that came by mail, as the mail was saved', () => {
    const note = evidence.checkpoints[0]?.note ?? '';
    const mail = join(folder, 'mail.txt');
    writeFileSync(mail, `Here is today's checkpoint.\r\n\r\n${note.replaceAll('\n', '\r\n')}\r\nYours\r\n`);
    expect(verify(evidence, '--key', evidence.log.key, '--checkpoint', mail)).toMatchObject({
      code: 0,
      said: expect.stringContaining('that you received belongs to this history'),
    });
    writeFileSync(mail, note.replace(/\n(\d+)\n/, '\n1$1\n'));
    expect(verify(evidence, '--key', evidence.log.key, '--checkpoint', mail).code).toBe(1);
  });

  it('answers garbage, missing files and wrong options with words', () => {
    expect(verify('no json').code).toBe(1);
    expect(verify(evidence, '--checkpoint', join(folder, 'missing')).code).toBe(2);
    expect(verify(evidence, '--no-such-option')).toMatchObject({ code: 2, said: expect.stringContaining('Usage') });
    expect(verify(evidence, '--key', 'a+b+c')).toMatchObject({ code: 1, said: expect.stringContaining('cannot be read') });
  });
});
