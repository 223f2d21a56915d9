import { spawn } from 'node:child_process';
import type { Log, ScanFile } from '#app/contracts/ports.ts';

const WITHIN_MS = 60_000;
/** Exit code of clamdscan, and of others that keep to its codes, for a file in which they found something. */
const FOUND = 1;

type Settings = {
  /** An HTTP address, or a command with its arguments; null: files are not scanned. */
  scanner: readonly string[] | null;
  fetch: typeof fetch;
  log: Log;
};

/**
 * Asks the operator's scanner before a file is accepted. An HTTP address gets the content as the body of a POST: 2xx lets the file pass, 406, 409,
 * 415 and 422 refuse it. A command gets it on its standard input: it ends with 0 or 1. Whatever else comes, no answer included, is no permission.
 */
export function createFileScanner({ scanner, fetch: send, log }: Settings): ScanFile {
  if (scanner === null) return async () => 'clean';
  const [target = ''] = scanner;
  return async (file, content, signal) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
    try {
      return /^https?:/i.test(target) ? await askAddress(send, target, file, content, within) : await askCommand(scanner, content, within);
    } catch (error) {
      log.error('the scanner of files gave no answer', { error });
      return 'unavailable';
    }
  };
}

const REFUSING: readonly number[] = [406, 409, 415, 422];

async function askAddress(
  send: typeof fetch,
  address: string,
  { name, sha256 }: { name: string; sha256: string },
  content: Uint8Array,
  signal: AbortSignal,
) {
  const headers = { 'Content-Type': 'application/octet-stream', 'X-File-Name': encodeURIComponent(name), 'X-File-SHA256': sha256 };
  const response = await send(address, { method: 'POST', headers, body: Buffer.from(content), signal });
  await response.body?.cancel();
  if (response.ok) return 'clean';
  if (REFUSING.includes(response.status)) return 'refused';
  throw new Error(`the scanner answered ${response.status}`);
}

function askCommand([command = '', ...args]: readonly string[], content: Uint8Array, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<'clean' | 'refused'>();
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], signal, killSignal: 'SIGKILL', windowsHide: true });
  child.on('error', reject);
  child.on('exit', (code) => {
    if (code === 0) resolve('clean');
    else if (code === FOUND) resolve('refused');
    else reject(new Error(`the scanner ended with ${String(code)}`));
  });
  // one that has seen enough closes its input
  child.stdin.on('error', () => undefined);
  child.stdin.end(content);
  return promise;
}
