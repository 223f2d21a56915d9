import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '#app/platform/project-root.server.ts';

export type WitnessProcess = { key: string; url: string; stop(): Promise<void>; remove(): Promise<void> };

/** `npm run witness` as a process of its own. With a directory it continues what another has signed there. */
export async function startWitness(name: string, logKey: string, given?: string): Promise<WitnessProcess & { directory: string }> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'quorate-witness-')));
  const call = ['--log', logKey, '--name', name, '--data', directory, '--port', '0'];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(projectRoot(), 'app/witness.ts'), ...call], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface(child.stdout)) {
    const [, key, url] = /^Names it in Quorate: (\S+) (\S+)$/.exec(line) ?? [];
    if (key === undefined || url === undefined) continue;
    const stop = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    const remove = async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    };
    return { directory, key, url, stop, remove };
  }
  throw new Error(`the witness ${name} did not start`);
}
