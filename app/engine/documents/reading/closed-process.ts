import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DocxJob } from '#app/engine/documents/docx-document.ts';
import type { ReadJob } from '#app/engine/documents/reading/reading-limits.ts';

/** Files read or written at once; each may take 256 MB. */
const PROCESSES = 2;
/** The process ends itself by the processor time that it used. This is for one that is stopped or starved altogether. */
const ANSWER_WITHIN_MS = 120_000;

/** The process went away for a reason that is not the file's: the same may go through when asked again. */
export class ReadingLost extends Error {
  constructor() {
    super('the process that reads a document was lost');
    this.name = 'ReadingLost';
  }
}

let running = 0;
const waiting: (() => void)[] = [];

/** Reads a file, or writes a Word document, in a process of its own. @throws ReadingLost */
export async function runInClosedProcess<Answer>(job: ReadJob | DocxJob, signal: AbortSignal): Promise<Answer> {
  if (running >= PROCESSES) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    signal.throwIfAborted();
    return await runApart<Answer>(job, signal);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Everything after `node`, for a process that reads documents with the code of this release. */
export function readerArguments(): string[] {
  const { entry, readable } = readerFiles();
  return [
    '--permission',
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    entry,
  ];
}

/** Beside this file in the sources; in the build an entry of its own (vite.config.ts), with its libraries in the chunks beside it. */
function readerFiles(): { entry: string; readable: string[] } {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  if (import.meta.url.endsWith('.ts')) {
    const root = path('../../../../');
    return { entry: path('./document-process.ts'), readable: [`${root}app/*`, `${root}node_modules/*`, `${root}package.json`] };
  }
  const entry = [path('./document-process.js'), path('../document-process.js')].find((file) => existsSync(file));
  if (entry === undefined) throw new Error('the build has no document-process.js: build again');
  return { entry, readable: [`${entry.slice(0, -'document-process.js'.length)}*`] };
}

function runApart<Answer>(job: ReadJob | DocxJob, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const child: ChildProcess = spawn(process.execPath, readerArguments(), {
    // An archive holds the time of the place that it was written in.
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  const lost = () => reject(new ReadingLost());
  const timer = setTimeout(lost, ANSWER_WITHIN_MS);
  signal.addEventListener('abort', lost, { once: true });
  child.on('message', (message: 'ready' | Answer) => {
    if (message !== 'ready') resolve(message);
    else child.send(job, (error) => (error === null ? undefined : lost()));
  });
  child.on('error', lost);
  child.on('exit', lost);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', lost);
    child.kill('SIGKILL');
  });
}
