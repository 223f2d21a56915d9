import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type ExpressionAnswer = { ok: true; text: string | null } | { ok: false; code: string; message: string };
type Limits = { timeout: number; stack: number; sequence: number };
type Job = { text: string; scope: string; startedAt: number; limits: Limits; settle: (answer: ExpressionAnswer) => void };

const PROCESSES = 2;
const MEMORY_MB = 128;
/** The evaluation looks at its own clock; this much later it is stuck between two looks, and its process is ended. */
const STUCK_AFTER_MS = 500;
const START_WITHIN_MS = 15_000;
const IDLE_MS = 30_000;

/** Sees JSONata and nothing of ours. Text, so that it needs no entry of its own in the build. */
const EVALUATION = `
const { parentPort, workerData } = require('node:worker_threads');
const jsonata = require(workerData);
parentPort.postMessage('ready');
parentPort.on('message', async ({ text, scope, startedAt, limits }) => {
  try {
    const refuse = () => { throw { code: 'QUORATE_EVAL', message: '$eval is not available' }; };
    const result = await jsonata(text, limits).evaluate(JSON.parse(scope), { now: () => new Date(startedAt).toISOString(), millis: () => startedAt, random: () => 0.5, shuffle: (list) => list, eval: refuse });
    const json = typeof result === 'function' ? undefined : JSON.stringify(result);
    parentPort.postMessage({ ok: true, text: json === undefined ? null : json });
  } catch (error) {
    parentPort.postMessage({ ok: false, code: String(error?.code ?? ''), message: String(error?.message ?? error).slice(0, 200) + (error?.position === undefined ? '' : ' (' + error.position + ')') });
  }
});
`;
/** Its first thread only watches: when our process is gone, an evaluation that is stuck must not go on without it. */
const WATCH = `
const { Worker } = require('node:worker_threads');
process.on('disconnect', () => process.exit());
const evaluation = new Worker(process.argv[2], { eval: true, workerData: process.argv[1] });
evaluation.on('message', (message) => process.send(message));
evaluation.on('error', (error) => process.send({ ok: false, code: String(error.code ?? ''), message: 'the evaluation ended' }, () => process.exit()));
process.on('message', (job) => evaluation.postMessage(job));
`;

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
  limit(free, job.limits.timeout + STUCK_AFTER_MS);
  const { text, scope, startedAt, limits } = job;
  free.child.send({ text, scope, startedAt, limits }, (error) => {
    if (error !== null) end(free, 'QUORATE_ENDED');
  });
  dispatch();
}

/**
 * Options of Node's permission model: no file but JSONata's own, nothing written, no program started. Expressions are written
 * by people who may not run code here, and a hole in the language would otherwise reach the instance's secret key.
 */
export function confinedTo(jsonata: string): string[] {
  return ['--permission', '--allow-worker', `--allow-fs-read=${join(dirname(jsonata), '*')}`];
}

function open(): void {
  const jsonata = createRequire(import.meta.url).resolve('jsonata');
  const child = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MB}`, ...confinedTo(jsonata), '-e', WATCH, jsonata, EVALUATION], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const evaluator: Evaluator = { child, job: null, ready: false, timer: undefined };
  evaluators.push(evaluator);
  limit(evaluator, START_WITHIN_MS);
  child.on('message', (message: 'ready' | ExpressionAnswer) => {
    if (message === 'ready') evaluator.ready = true;
    else {
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
  child.on('error', () => end(evaluator, 'QUORATE_ENDED'));
  // an abort of the allocator comes as a signal
  child.on('exit', () => end(evaluator, 'QUORATE_MEMORY'));
}

function limit(evaluator: Evaluator, ms: number): NodeJS.Timeout {
  clearTimeout(evaluator.timer);
  evaluator.timer = setTimeout(() => end(evaluator, 'QUORATE_STUCK'), ms);
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
  // one that never came up must not be waited for by everybody
  if (!evaluator.ready) for (const job of waiting.splice(0)) job.settle(answer);
  dispatch();
}
