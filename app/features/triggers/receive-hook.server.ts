import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { AppError, ERROR_CODES } from '#app/domain/errors.ts';
import { HOOK_SIGNATURE_HEADER, HOOK_WINDOW_SECONDS, readHookSignature } from '#app/domain/hook-signature.ts';
import { isTooDeep } from '#app/domain/json-depth.ts';
import type { Json } from '#app/domain/tables.ts';
import { hookSealContext, type TriggerPrincipal } from '#app/domain/triggers.ts';
import { workflowDocumentSchema } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { findRunByRequestKey } from '#app/engine/runs/start-run.ts';
import { startByTrigger } from '#app/engine/triggers/start-by-trigger.ts';
import { type Services, servicesContext } from '#app/request-context.ts';

/** Calls of one webhook. */
const HOOK_PACE = { name: 'hookPace', max: 120, windowSeconds: 60 };
const KEY_SHAPE = /^[\x21-\x7e]{1,200}$/;

const TITLES = {
  400: 'The body does not fit the input of the workflow.',
  401: 'The webhook is unknown, or its signature is wrong or too old.',
  402: 'The executions of this month are used up.',
  409: 'The workflow is paused, or the key was used with another body.',
  413: 'The body is too large.',
  423: 'The workspace is halted.',
  429: 'Too many calls.',
  503: 'Try again later.',
} as const;

type Answer = { status: 202; runId: string } | { status: keyof typeof TITLES };

/**
 * Starts a run by a signed call: 202 with the run's address. Without an `Idempotency-Key` the signature is the key, so that a call that is
 * sent again starts nothing. An unknown webhook and a wrong signature answer the same.
 */
export async function receiveHook({ request, id, context }: { request: Request; id: string; context: Readonly<RouterContextProvider> }) {
  const services = context.get(servicesContext);
  if (!z.uuid().safeParse(id).success) return problem(401);
  const wait = await services.access.asNobody((db) => takeLimit(db, HOOK_PACE, id));
  if (wait > 0) return problem(429, { 'Retry-After': String(wait) });
  const signature = readHookSignature(request.headers.get(HOOK_SIGNATURE_HEADER));
  const key = request.headers.get('idempotency-key') ?? signature?.mac ?? '';
  const body = await request.text();
  if (signature === null) return problem(401);
  if (!KEY_SHAPE.test(key)) return problem(400);
  try {
    const answer = await services.access.asTrigger(id, async (db, trigger) =>
      isSigned(services, trigger, signature, body) ? await start(db, services, trigger, key, body) : ({ status: 401 } as const),
    );
    if (answer.status !== 202) return problem(answer.status);
    const run = `${services.origin}/dashboard/runs/${answer.runId}`;
    return Response.json({ run: answer.runId, address: run }, { status: 202, headers: { Location: run, 'Cache-Control': 'no-store' } });
  } catch (error) {
    // Not there, paused, or its publisher has left: none of it is said to who has proved nothing.
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return problem(401);
    if (error instanceof AppError && error.code === 'unavailable') return problem(503, { 'Retry-After': '30' });
    throw error;
  }
}

function isSigned(services: Services, trigger: TriggerPrincipal, signature: { seconds: number; mac: string }, body: string): boolean {
  if (trigger.kind !== 'webhook' || trigger.secretSealed === null) return false;
  if (Math.abs(services.now().getTime() / 1000 - signature.seconds) > HOOK_WINDOW_SECONDS) return false;
  const secret = services.engine.sealer.open(trigger.secretSealed, hookSealContext(trigger.id));
  const expected = createHmac('sha256', secret).update(`${signature.seconds}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(signature.mac, 'hex'));
}

async function start(db: Db, services: Services, trigger: TriggerPrincipal, key: string, body: string): Promise<Answer> {
  const input = inputFrom(body, trigger);
  if (input === null) return { status: 400 };
  const requestKey = `hook:${trigger.id}:${key}`;
  const earlier = () => findRunByRequestKey(db, { workspaceId: trigger.workspaceId, initiatorId: trigger.userId, requestKey });
  const first = await earlier();
  if (first !== null) return await repeat(db, first, input);
  const { engine, newId, now } = services;
  const outcome = await startByTrigger(db, { enqueueRun: engine.enqueueRun, newId }, trigger, {
    input,
    requestKey,
    now: now(),
    nextAt: null,
  });
  if (outcome.runId !== null) return { status: 202, runId: outcome.runId };
  // Two calls with one key at the same moment: the other one has started the run.
  const meanwhile = outcome.refusal === 'conflict' ? await earlier() : null;
  if (meanwhile !== null) return await repeat(db, meanwhile, input);
  const status = outcome.refusal === 'paused' ? 409 : ERROR_CODES[outcome.refusal];
  return status === 403 || status === 404 ? { status: 401 } : { status };
}

/** The same answer for the same body, a refusal for another. */
async function repeat(db: Db, runId: string, input: { [name: string]: Json }): Promise<Answer> {
  const run = await db.selectFrom('quorate.runs').select('input').where('id', '=', runId).executeTakeFirst();
  const same = run !== undefined && sorted(run.input) === sorted(input);
  return same ? { status: 202, runId } : { status: 409 };
}

/** The fields of the workflow's input, by their names; what else the body holds is not its business. Null: no JSON object. */
function inputFrom(body: string, trigger: TriggerPrincipal): { [name: string]: Json } | null {
  let value: unknown;
  try {
    value = body === '' ? {} : JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTooDeep(value)) return null;
  const names = new Set(workflowDocumentSchema.parse(trigger.document).input.map(({ name }) => name));
  return Object.fromEntries(Object.entries(value as { [name: string]: Json }).filter(([name]) => names.has(name)));
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** RFC 9457. Programs read English. */
function problem(status: keyof typeof TITLES, headers: Record<string, string> = {}): Response {
  return Response.json(
    { type: 'about:blank', title: TITLES[status], status },
    { status, headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers } },
  );
}

/** A webhook is posted to, and shows nothing. */
export function refuseReading(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'POST' } });
}
