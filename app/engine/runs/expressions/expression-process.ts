import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EVALUATION, REALM, WATCH } from '#app/engine/runs/expressions/expression-scripts.ts';

export type ExpressionAnswer = { ok: true; text: string | null } | { ok: false; code: string; message: string };
type Limits = { cpuMs: number; stack: number; sequence: number };
type Job = { text: string; scope: string; startedAt: number; limits: Limits; settle: (answer: ExpressionAnswer) => void };

/** The process went away or did not answer for a reason that is not the expression's: the same may go through when asked again. */
export const LOST = 'QUORATE_LOST';
/** The expression used more processor time than it may. */
export const STUCK = 'QUORATE_STUCK';
export const MEMORY = 'QUORATE_MEMORY';

const PROCESSES = 2;
const MEMORY_MB = 128;
/** The process ends itself by the processor time that it used. This is for one that is stopped or starved altogether. */
const ANSWER_WITHIN_MS = 60_000;
/** Another takes 0.1 s to start; one that waits holds some 40 MB. */
const IDLE_MS = 5_000;
/** The ways in which V8 ends a process that is out of memory. */
const OUT_OF_MEMORY: ReadonlySet<string | number | null> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 134, 133]);

type Evaluator = { child: ChildProcess; job: Job | null; ready: boolean; timer: NodeJS.Timeout | undefined };

const evaluators: Evaluator[] = [];
const waiting: Job[] = [];

/**
 * Evaluates in a process that is ended when it takes too long. A thread would not do: one allocation over its limit ends the
 * whole process that it is in (V8 answers it with an abort; seen with `$pad("x", 500000000)`).
 */
export function evaluateApart(text: string, scope: string, startedAt: number, limits: Limits): Promise<ExpressionAnswer> {
  const { promise, resolve } = Promise.withResolvers<ExpressionAnswer>();
  waiting.push({ text, scope, startedAt, limits, settle: resolve });
  dispatch();
  return promise;
}

function dispatch(): void {
  if (waiting.length === 0) return;
  const free = evaluators.find((evaluator) => evaluator.ready && evaluator.job === null);
  if (free === undefined) {
    if (evaluators.length < PROCESSES && evaluators.every((evaluator) => evaluator.ready)) open();
    return;
  }
  const job = waiting.shift();
  if (job === undefined) return;
  free.job = job;
  free.child.ref();
  free.child.channel?.ref();
  limit(free, ANSWER_WITHIN_MS);
  const { text, scope, startedAt, limits } = job;
  const { cpuMs, ...bounds } = limits;
  free.child.send({ text, scope, startedAt, limits: bounds, cpuMs }, (error) => {
    if (error !== null) end(free, LOST);
  });
  dispatch();
}

/**
 * Options of the process: no file but JSONata's own, nothing written, no program started, no text turned into code. Expressions
 * are written by people who may not run code here, and a hole in the language would otherwise reach the instance's secret key.
 */
export function confinedTo(jsonata: string): string[] {
  return ['--permission', '--allow-worker', `--allow-fs-read=${join(dirname(jsonata), '*')}`, '--disallow-code-generation-from-strings'];
}

/** Everything after `node`, for a process that evaluates with the JSONata at this path. */
export function evaluatorArguments(jsonata: string): string[] {
  return [`--max-old-space-size=${MEMORY_MB}`, ...confinedTo(jsonata), '-e', WATCH, jsonata, EVALUATION, REALM];
}

function open(): void {
  const child = spawn(process.execPath, evaluatorArguments(createRequire(import.meta.url).resolve('jsonata')), {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const evaluator: Evaluator = { child, job: null, ready: false, timer: undefined };
  evaluators.push(evaluator);
  limit(evaluator, ANSWER_WITHIN_MS);
  child.on('message', (message: 'ready' | ExpressionAnswer) => {
    if (message === 'ready') evaluator.ready = true;
    else if (!message.ok && (message.code === STUCK || message.code === MEMORY || message.code === LOST)) {
      // it ends with these words: another job given to it now would be lost
      end(evaluator, message.code);
      return;
    } else {
      const { job } = evaluator;
      evaluator.job = null;
      job?.settle(message);
    }
    // while idle it keeps no process alive, and after a while it goes
    child.unref();
    child.channel?.unref();
    limit(evaluator, IDLE_MS).unref();
    dispatch();
  });
  child.on('error', () => end(evaluator, LOST));
  child.on('exit', (code, signal) => end(evaluator, OUT_OF_MEMORY.has(signal ?? code) ? MEMORY : LOST));
}

function limit(evaluator: Evaluator, ms: number): NodeJS.Timeout {
  clearTimeout(evaluator.timer);
  evaluator.timer = setTimeout(() => end(evaluator, LOST), ms);
  return evaluator.timer;
}

function end(evaluator: Evaluator, code: string): void {
  const place = evaluators.indexOf(evaluator);
  if (place === -1) return;
  evaluators.splice(place, 1);
  clearTimeout(evaluator.timer);
  evaluator.child.kill('SIGKILL');
  const answer: ExpressionAnswer = { ok: false, code, message: 'the evaluation ended' };
  evaluator.job?.settle(answer);
  // a process that never came up must not block everyone
  if (!evaluator.ready) for (const job of waiting.splice(0)) job.settle(answer);
  dispatch();
}
