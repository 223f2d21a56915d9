import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { evaluate } from '#app/engine/runs/expressions/evaluate.ts';
import { confinedTo, evaluatorArguments } from '#app/engine/runs/expressions/expression-process.ts';

// Files share their modules: those that start processes are loaded again with the spy, and once more for the next file.
vi.hoisted(() => void vi.resetModules());
vi.mock('node:child_process', { spy: true });
afterAll(() => void vi.resetModules());

const JSONATA = createRequire(import.meta.url).resolve('jsonata');
const SCOPE = { input: {}, steps: {}, run: { id: 'run', mode: 'live', startedAt: '2026-01-02T03:04:05.000Z' } };

/** Code that had broken out of an expression, run in a process with the same options as expressions. */
function brokenOut(code: string): string {
  const script = `try { ${code}; process.stdout.write('done') } catch (error) { process.stdout.write(String(error.code)) }`;
  return spawnSync(process.execPath, [...confinedTo(JSONATA), '-e', script], { env: {}, encoding: 'utf8' }).stdout;
}

test.each([
  ['reads no file but JSONata', `require('node:fs').readFileSync(${JSON.stringify(process.execPath)})`],
  ['writes none', `require('node:fs').writeFileSync(${JSON.stringify(`${JSONATA}.changed`)}, '')`],
  ['starts no program', `require('node:child_process').execFileSync(process.execPath, ['-v'])`],
])('the process of expressions %s', (_, code) => {
  expect(brokenOut(code)).toBe('ERR_ACCESS_DENIED');
});

test('the process of expressions reads JSONata', () => {
  expect(brokenOut(`require(${JSON.stringify(JSONATA)})`)).toBe('done');
});

test('the process of expressions turns no text into code', () => {
  expect(brokenOut(`if (new Function('return 1')() === 1) throw { code: 'ran' }`)).toBe('undefined');
});

test('code in the place of JSONata finds nothing of Node, and reaches no network', async () => {
  const server = createServer((socket) => socket.destroy());
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), 'quorate-hostile-'));
  const hostile = join(directory, 'jsonata.js');
  // each way out ends in a text: what was found, or why it was refused
  writeFileSync(
    hostile,
    `const url = 'http://127.0.0.1:${port}/';
    const ways = {
      globals: () => ['process', 'require', 'fetch', 'WebSocket', 'EventSource', 'Buffer', 'setTimeout', 'Worker'].filter((name) => name in globalThis).join(),
      constructor: () => String(typeof this.constructor.constructor('return process')()),
      evaluated: () => String((0, eval)('typeof process')),
      fetch: () => typeof globalThis.fetch(url),
      websocket: () => typeof new WebSocket(url.replace('http', 'ws')),
      builtin: () => typeof process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1'),
    };
    module.exports = () => ({ async evaluate() {
      const found = {};
      for (const [name, way] of Object.entries(ways)) {
        try { found[name] = way(); } catch (error) { found[name] = error.name; }
      }
      try { void import('node:net').then((net) => net.connect(${port}, '127.0.0.1'), () => {}); } catch {}
      return found;
    } });`,
  );
  const child = spawn(process.execPath, evaluatorArguments(hostile), { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    await once(child, 'message');
    const answer = async () => {
      child.send({ text: '1', scope: '{}', startedAt: 0, limits: {}, cpuMs: 10_000 });
      const [message] = await once(child, 'message');
      return message as { text: string };
    };
    expect(JSON.parse((await answer()).text)).toEqual({
      globals: '',
      constructor: 'EvalError',
      evaluated: 'EvalError',
      fetch: 'TypeError',
      websocket: 'ReferenceError',
      builtin: 'ReferenceError',
    });
    // a second answer comes after whatever the first one set off
    await answer();
    expect(connections).toBe(0);
    // the permission model alone would let it out: the test sees a connection where there is one
    const open = spawn(process.execPath, [...confinedTo(JSONATA), '-e', `require('node:net').connect(${port}, '127.0.0.1')`], { env: {} });
    await once(open, 'exit');
    expect(connections).toBe(1);
  } finally {
    child.kill('SIGKILL');
    server.close();
    rmSync(directory, { recursive: true });
  }
});

test('texts are encoded there as they are here', async () => {
  const texts = ['', 'a', 'ab', 'abc', 'Grüße', '\u0000ÿ~?>'];
  // the block with a function takes the long way
  for (const text of texts)
    expect(await evaluate('($f := function($t) { $base64encode($t) }; $f(input.text))', { ...SCOPE, input: { text } })).toBe(
      Buffer.from(text, 'binary').toString('base64'),
    );
  for (const text of texts.slice(1, 5)) {
    const coded = Buffer.from(text, 'binary').toString('base64');
    expect(await evaluate('($f := function($t) { $base64decode($t) }; $f(input.coded))', { ...SCOPE, input: { coded } })).toBe(text);
  }
});

const HEAVY = '$sum([1..10].($ * 2))';
const childOfNow = () => vi.mocked(spawn).mock.results.at(-1)?.value as ChildProcess;

beforeEach(() => {
  vi.mocked(spawn).mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

test('an expression whose process gets no processor for seconds is not at fault', async () => {
  vi.resetModules();
  const { evaluate: anew } = await import('#app/engine/runs/expressions/evaluate.ts');
  expect(await anew(HEAVY, SCOPE)).toBe(110);
  const child = childOfNow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  child.kill('SIGSTOP');
  const answer = anew(HEAVY, SCOPE);
  await vi.advanceTimersByTimeAsync(20_000);
  child.kill('SIGCONT');
  expect(await answer).toBe(110);
});

test('an expression whose process is killed is evaluated by the next one', async () => {
  vi.resetModules();
  const { evaluate: anew } = await import('#app/engine/runs/expressions/evaluate.ts');
  expect(await anew(HEAVY, SCOPE)).toBe(110);
  const child = childOfNow();
  child.kill('SIGSTOP');
  const answer = anew(HEAVY, SCOPE);
  child.kill('SIGKILL');
  expect(await answer).toBe(110);
});
