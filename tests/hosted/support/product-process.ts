/** The built product in processes of its own, with the settings that a test gives and none of its own environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#tests/survival/support/until.ts';

const start = join(import.meta.dirname, '..', '..', '..', 'app', 'start.ts');

export type ProductProcess = {
  child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  dataDirectory: string;
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

export async function spawnProduct(kind: 'server' | 'worker', settings: Record<string, string>): Promise<ProductProcess> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quorate-process-'));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', start, kind, '--as-built'], {
    env: { PATH: process.env.PATH, HOME: dataDirectory, QUORATE_DATA_DIR: dataDirectory, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return {
    child,
    output: () => output,
    dataDirectory,
    async end(signal) {
      if (signal !== undefined && child.exitCode === null && child.signalCode === null) child.kill(signal);
      const code = await closed;
      await rm(dataDirectory, { recursive: true, force: true });
      return code;
    },
  };
}

export function untilReady(product: ProductProcess): Promise<true> {
  return until('a process to be ready', () => {
    if (product.child.exitCode !== null) throw new Error(product.output());
    return /^(Quorate is ready|The worker is ready)/m.test(product.output());
  });
}
