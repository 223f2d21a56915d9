import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ReplayAnswer, ReplayedRows, ReplayRow, ReplayTask } from '#app/engine/policy/replay/replay-process.ts';

const MEMORY_MB = 256;
/** For one answer: a stopped or starved process is given up, and another tries again. */
const ANSWER_WITHIN_MS = 60_000;

/** Makes decisions again under these policies. `version`: their digest; null: they cannot be read, and nothing can be asked. */
export type ReplayApart = { version: string | null; decide(rows: readonly ReplayRow[]): Promise<ReplayedRows>; close(): void };

/**
 * Starts a process for it that gives way to everything else on the machine. @throws Error where it is lost, at any time: what was asked may
 * be asked again
 */
export async function openReplayApart(task: ReplayTask): Promise<ReplayApart> {
  const child = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MB}`, '--disable-warning=ExperimentalWarning', entryFile()], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  let settle: { resolve(answer: ReplayAnswer): void; reject(error: Error): void } | undefined;
  const lost = () => {
    settle?.reject(new Error('the process that replays decisions was lost'));
    child.kill('SIGKILL');
  };
  child.on('message', (answer: ReplayAnswer) => settle?.resolve(answer));
  child.on('error', lost);
  child.on('exit', lost);
  const answered = async <Answer extends ReplayAnswer>(send: () => void): Promise<Answer> => {
    const { promise, ...settling } = Promise.withResolvers<ReplayAnswer>();
    settle = settling;
    const timer = setTimeout(lost, ANSWER_WITHIN_MS);
    send();
    return promise.finally(() => clearTimeout(timer)) as Promise<Answer>;
  };
  const ask = <Answer extends ReplayAnswer>(message: ReplayTask | readonly ReplayRow[]) =>
    answered<Answer>(() => void child.send(message, (error) => (error === null ? undefined : lost())));
  const close = () => {
    settle = undefined;
    child.kill('SIGKILL');
  };
  try {
    await answered(() => giveWay(child.pid));
    const { version } = await ask<{ version: string | null }>(task);
    return { version, decide: (rows) => ask<ReplayedRows>(rows), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Runs of people go before it. A system that refuses this runs it beside them. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // it is slower for others then, and right all the same
  }
}

/** Beside this file in the sources; in the build an entry of its own (vite.config.ts). */
function entryFile(): string {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  if (import.meta.url.endsWith('.ts')) return path('./replay-process.ts');
  const entry = [path('./replay-process.js'), path('../replay-process.js')].find((file) => existsSync(file));
  if (entry === undefined) throw new Error('the build has no replay-process.js: build again');
  return entry;
}
