import { expect, test } from 'vitest';
import type { Log } from '#app/contracts/ports.ts';
import { createFileScanner } from '#app/platform/files/file-scanner.server.ts';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const file = { name: 'Rechnung März.pdf', size: 3, sha256: 'a'.repeat(64) };
const content = new TextEncoder().encode('abc');
const never: typeof fetch = () => Promise.reject(new Error('not asked'));
const ask = (scanner: readonly string[] | null, send = never) =>
  createFileScanner({ scanner, fetch: send, log })(file, content, new AbortController().signal);
const ending = (code: string) => [process.execPath, '-e', code];
const sized = 'let n = 0; process.stdin.on("data", (x) => { n += x.length; }).on("end", () => process.exit(n === 3 ? 0 : 9));';

test('without a scanner each file passes; a command says by its code what it found in what it was given', async () => {
  expect(await ask(null)).toBe('clean');
  expect(await ask(ending(sized))).toBe('clean');
  expect(await ask(ending('process.exit(1)'))).toBe('refused');
});

test('no answer, or one that says neither, lets nothing pass', async () => {
  expect(await ask(ending('process.exit(2)'))).toBe('unavailable');
  expect(await ask(ending('process.kill(process.pid, "SIGKILL")'))).toBe('unavailable');
  expect(await ask(['/no/such/command'])).toBe('unavailable');
  expect(await ask(['http://scanner.example/'])).toBe('unavailable');
  expect(await ask(['http://scanner.example/'], async () => new Response(null, { status: 500 }))).toBe('unavailable');
  expect(await ask(['http://scanner.example/'], async () => new Response(null, { status: 302 }))).toBe('unavailable');
});

test('an address gets the content, and says by its status what it found', async () => {
  const asked: Request[] = [];
  const answering =
    (status: number): typeof fetch =>
    async (address, init) => {
      asked.push(new Request(address as string, init));
      return new Response(null, { status });
    };
  expect(await ask(['https://scanner.example/scan'], answering(204))).toBe('clean');
  expect(await ask(['https://scanner.example/scan'], answering(422))).toBe('refused');
  expect(await asked[0]?.text()).toBe('abc');
  expect(asked[0]?.headers.get('x-file-name')).toBe('Rechnung%20M%C3%A4rz.pdf');
});
