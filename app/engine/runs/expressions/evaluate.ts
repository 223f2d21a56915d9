import { setTimeout as pause } from 'node:timers/promises';
import jsonata from 'jsonata';
import { LRUCache } from 'lru-cache';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { isLinear } from '#app/engine/runs/expressions/expression-cost.ts';
import { evaluateApart, LOST, MEMORY, STUCK } from '#app/engine/runs/expressions/expression-process.ts';

/**
 * The variables of an expression. `steps` holds the output of every step that has ended, by its id; null where it was skipped. Inside a loop
 * there are also the item and its number, from 0; in the steps after a failure, the error.
 */
export type Scope = {
  input: { [name: string]: Json };
  steps: { [stepId: string]: Json };
  /** `callbacks`: by the id of a step that waits for an event, the address at which it comes in. */
  run: { id: string; mode: string; startedAt: string; callbacks?: { [stepId: string]: string } };
  item?: Json;
  index?: number;
  last?: Json;
  error?: Json;
};

/** Milliseconds of processor time that an expression may use; in this thread, of the clock, before it goes to a process of its own. */
const EXPRESSION_TIME_MS = 250;
const MAX_STACK = 300;
const MAX_SEQUENCE = 100_000;
/** Bytes of JSON that one value may have: what a step takes in or gives out. */
export const VALUE_MAX_BYTES = 1_048_576;
const MAX_CACHED = 2_000;
/** A longer text may name a large value so often that its result exhausts this process's memory. */
const MAX_BESIDE = 600;
/** JSONata's code for it. */
const TOOK_TOO_LONG = 'D1012';
const LIMITS = { stack: MAX_STACK, sequence: MAX_SEQUENCE };
/** Asked again this often where the process was lost, ever later; after that the run is let go and driven again. */
const TRIES = 8;
const FIRST_PAUSE_MS = 50;

export class ExpressionError extends Error {
  readonly explanation: Explanation;
  constructor(explanation: Explanation, options: { cause?: unknown } = {}) {
    super(explanation.key, options);
    this.name = 'ExpressionError';
    this.explanation = explanation;
  }
}

/** A fault of the expression itself, as its step reports it. Anything else passes on: it is a fault of ours, or of the moment. */
export function explanationOf(error: unknown): Explanation {
  if (error instanceof ExpressionError) return error.explanation;
  throw error;
}

/** No process could evaluate it: that is not the expression's fault, and the run's worker tries again. */
class EvaluationLost extends Error {
  constructor() {
    super('the process that evaluates expressions was lost again and again');
    this.name = 'EvaluationLost';
  }
}

type Compiled = { expression: jsonata.Expression; path: readonly string[] | null; linear: boolean };
const compiled = new LRUCache<string, Compiled>({ max: MAX_CACHED });

/** The fault of an expression with its position, or null when it can be read. Takes the text without its mark. */
export function parseExpression(text: string): string | null {
  try {
    compile(text);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Evaluates an expression over a run's scope. Bounded in processor time, depth, length of sequences and size of the result; `$now`,
 * `$millis` and `$random` answer the same for the same run, so that a step taken up by another worker computes the same input.
 * Throws an ExpressionError for what is wrong with the expression; anything else passes, and the same may go through later.
 */
export async function evaluate(text: string, scope: Scope): Promise<Json> {
  let unit: Compiled;
  try {
    unit = compile(text);
  } catch (error) {
    throw new ExpressionError({ key: 'expressionUnreadable', values: { fault: messageOf(error) } }, { cause: error });
  }
  if (unit.path !== null) {
    const found = followPath(scope, unit.path);
    if (found !== UNDECIDED) return bounded(found);
  }
  const startedAt = Date.parse(scope.run.startedAt);
  if (!unit.linear) return apart(text, scope, startedAt);
  let result: unknown;
  try {
    result = await unit.expression.evaluate(scope, { now: () => new Date(startedAt).toISOString(), millis: () => startedAt });
  } catch (error) {
    // The clock here runs for everything else that this process does meanwhile: apart, the time is the expression's own.
    if (codeOf(error) === TOOK_TOO_LONG) return apart(text, scope, startedAt);
    throw new ExpressionError(explainFault(codeOf(error), messageOf(error)), { cause: error });
  }
  return bounded(result);
}

/** The same in a process of its own whatever it costs, for a thread that others wait for. */
export async function evaluateElsewhere(text: string, scope: Scope): Promise<Json> {
  const fault = parseExpression(text);
  if (fault !== null) throw new ExpressionError({ key: 'expressionUnreadable', values: { fault } });
  return apart(text, scope, Date.parse(scope.run.startedAt));
}

async function apart(text: string, scope: Scope, startedAt: number): Promise<Json> {
  const seen = JSON.stringify(scope);
  for (let tried = 1; ; tried += 1) {
    const answer = await evaluateApart(text, seen, startedAt, { ...LIMITS, cpuMs: EXPRESSION_TIME_MS });
    if (answer.ok) return answer.text === null ? null : parsed(answer.text);
    if (answer.code !== LOST) throw new ExpressionError(explainFault(answer.code, answer.message));
    if (tried === TRIES) throw new EvaluationLost();
    await pause(FIRST_PAUSE_MS * 2 ** tried);
  }
}

/** The value as plain JSON. Functions and `undefined` become null; a result over the limit is an error. */
function bounded(value: unknown): Json {
  if (value === undefined || value === null || typeof value === 'function') return null;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  const text = JSON.stringify(value);
  return text === undefined ? null : parsed(text);
}

/** Values that neither the database nor a peer could take are refused where they are made. */
function parsed(text: string): Json {
  if (text.length > VALUE_MAX_BYTES)
    throw new ExpressionError({ key: 'valueTooLarge', values: { size: text.length, limit: VALUE_MAX_BYTES } });
  if (UNSTORABLE.test(text)) throw new ExpressionError({ key: 'inputNotText', values: {} });
  return JSON.parse(text) as Json;
}

/** As JSON.stringify writes U+0000 and halves of surrogate pairs, which PostgreSQL's JSON cannot store. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

function compile(text: string): Compiled {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const expression = jsonata(text, { ...LIMITS, timeout: EXPRESSION_TIME_MS });
  const unit = { expression, path: plainPath(text), linear: text.length <= MAX_BESIDE && isLinear(expression.ast()) };
  compiled.set(text, unit);
  return unit;
}

const PLAIN_PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/;
const WORDS_OF_THE_LANGUAGE = new Set(['and', 'or', 'in', 'null', 'true', 'false']);

/** `steps.screen.matches`: most mappings are such a path, and following it costs a hundredth of evaluating it. */
function plainPath(text: string): readonly string[] | null {
  if (!PLAIN_PATH.test(text)) return null;
  const parts = text.split('.');
  return parts.some((part) => WORDS_OF_THE_LANGUAGE.has(part)) ? null : parts;
}

const UNDECIDED = Symbol('undecided');

/** Through plain objects alone: what a path means once it meets an array is for JSONata to say. */
function followPath(scope: Scope, path: readonly string[]): unknown {
  let value: unknown = scope;
  for (const part of path) {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return UNDECIDED;
    if (typeof value !== 'object' || !Object.hasOwn(value, part)) return null;
    value = (value as Record<string, unknown>)[part];
  }
  return Array.isArray(value) ? UNDECIDED : value;
}

function explainFault(code: string, fault: string): Explanation {
  if (code === STUCK) return { key: 'expressionTookTooLong', values: { milliseconds: EXPRESSION_TIME_MS } };
  if (code === MEMORY) return { key: 'expressionTooMuchMemory', values: {} };
  if (code === 'D1011') return { key: 'expressionTooDeep', values: { limit: MAX_STACK } };
  if (code === 'D2015' || code === 'D2014') return { key: 'expressionTooLong', values: { limit: MAX_SEQUENCE } };
  if (code === 'QUORATE_EVAL') return { key: 'expressionEval', values: {} };
  return { key: 'expressionFailed', values: { fault } };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** JSONata throws plain objects: its words with the position, cut so that no value of a payload rides along. */
function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
  const position = typeof error === 'object' && error !== null && 'position' in error ? ` (${String(error.position)})` : '';
  return `${message.slice(0, 200)}${position}`;
}
