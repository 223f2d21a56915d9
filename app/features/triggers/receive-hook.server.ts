import { createHmac, timingSafeEqual } from 'node:crypto';
import { href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { TriggerPrincipal } from '#app/contracts/principals.ts';
import { clientContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { AppError, ERROR_CODES, type ErrorCode } from '#app/domain/errors.ts';
import { pacesInForce, readPaces } from '#app/domain/runs/pace.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import { isTooDeep } from '#app/domain/web/json-depth.ts';
import { hookSealContext } from '#app/domain/workflows/triggers.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { countFailure } from '#app/engine/limits/count-failure.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { type EarlierRun, findRunByRequestKey } from '#app/engine/runs/start-run.ts';
import { performAsTrigger } from '#app/engine/triggers/perform-as-trigger.ts';
import { isWebhookSigned, WEBHOOK_WINDOW_SECONDS } from '#app/engine/webhooks/standard-webhooks.ts';
import { EARLIER_SIGNATURE_HEADER, readEarlierSignature } from '#app/features/triggers/hook-signature.ts';

/** Visible characters except the dot, which separates the signed parts: with a dot inside, two calls could have the same signature. */
const ID_SHAPE = /^[\x21-\x2d\x2f-\x7e]{1,200}$/;

const DETAILS = {
  400: 'The body does not fit the input of the workflow.',
  401: 'The webhook is unknown, or its signature is wrong or too old.',
  402: 'The executions of this month are used up.',
  409: 'The workflow is paused, or the webhook-id was used with another body.',
  413: 'The body is too large.',
  423: 'The workspace is halted.',
  429: 'Too many calls.',
  503: 'Try again later.',
} as const;
const CODES: Record<keyof typeof DETAILS, ErrorCode> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  402: 'quota_exceeded',
  409: 'conflict',
  413: 'too_large',
  423: 'halted',
  429: 'over_limit',
  503: 'unavailable',
};

type Answer = { status: 202; runId: string; number: number; subject: string | null } | { status: keyof typeof DETAILS };

/** How a call says who it is. `key`: under which the same call starts nothing twice; the signature covers it. */
type Signature = { key: string; seconds: number; isRight(secret: string, body: string): boolean };

/**
 * Starts a run by a signed call: 202 with the run's id and address, its number and its subject. Standard Webhooks: the signature covers `webhook-id`, which is the key under
 * which a call that is sent again starts nothing. An unknown webhook and a wrong signature answer the same; only failures count against an
 * address, and signed calls have the pace of their webhook.
 */
export function receiveHook({ request, id, context }: { request: Request; id: string; context: Readonly<RouterContextProvider> }) {
  return withProblems(async () => {
    const services = context.get(servicesContext);
    const { access, now, engine, paceCeilings } = services;
    const block = addressBlock(context.get(clientContext).address);
    const signature = readSignature(request.headers);
    const inTime = signature !== null && Math.abs(now().getTime() / 1000 - signature.seconds) <= WEBHOOK_WINDOW_SECONDS;
    const known = inTime && z.uuid().safeParse(id).success ? await findTrigger(services, id) : null;
    if (signature === null || known === null) return unknown(services, block);
    const body = await request.text();
    if (!signature.isRight(engine.sealer.open(known.secretSealed, hookSealContext(id)), body)) return unknown(services, block);
    const { hooks } = pacesInForce(known.paces, paceCeilings);
    const wait = await access.asNobody((db) => takeLimit(db, { name: 'hookPace', max: hooks, windowSeconds: 60 }, id));
    if (wait > 0) return refused(429, wait);
    const answer = await unlessGone(() => access.asTrigger(id, (db, trigger) => start(db, services, trigger, signature.key, body)));
    if (answer === null) return unknown(services, block);
    if (answer.status !== 202) return refused(answer.status);
    const run = `${services.origin}${href('/dashboard/runs/:run', { run: answer.runId })}`;
    const { runId, number, subject } = answer;
    return Response.json(
      { run: runId, number, subject, address: run },
      { status: 202, headers: { Location: run, 'Cache-Control': 'no-store' } },
    );
  });
}

function readSignature(headers: Headers): Signature | null {
  const given = headers.get('webhook-signature');
  if (given === null) return readEarlier(headers.get(EARLIER_SIGNATURE_HEADER));
  const [id = '', time = ''] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
  if (!ID_SHAPE.test(id) || !/^\d{1,11}$/.test(time)) return null;
  const seconds = Number(time);
  return { key: id, seconds, isRight: (secret, body) => isWebhookSigned(secret, { id, seconds, body }, given) };
}

/** Any other key of such a call is not signed: with a key of their own, an eavesdropper could start it once more. */
function readEarlier(header: string | null): Signature | null {
  const earlier = readEarlierSignature(header);
  if (earlier === null) return null;
  const { seconds, mac } = earlier;
  return {
    key: mac,
    seconds,
    isRight: (secret, body) => timingSafeEqual(createHmac('sha256', secret).update(`${seconds}.${body}`).digest(), Buffer.from(mac, 'hex')),
  };
}

/** The secret and the pace of a webhook, or null where there is none that may start anything. */
function findTrigger({ access }: Services, id: string) {
  return unlessGone(() =>
    access.asTrigger(id, async (db, trigger) => {
      if (trigger.kind !== 'webhook' || trigger.secretSealed === null) return null;
      const workspace = await db
        .selectFrom('quorate.workspaces')
        .select('settings')
        .where('id', '=', trigger.workspaceId)
        .executeTakeFirst();
      return { secretSealed: trigger.secretSealed, paces: readPaces(workspace?.settings) };
    }),
  );
}

/** Missing, paused, or its publisher has left: an unproven caller is told none of it. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return null;
    throw error;
  }
}

async function unknown({ access }: Services, block: string): Promise<Response> {
  const wait = await countFailure(access.asNobody, 'wrongHooks', block);
  return wait > 0 ? refused(429, wait) : refused(401);
}

async function start(db: Db, services: Services, trigger: TriggerPrincipal, key: string, body: string): Promise<Answer> {
  const input = inputFrom(body, trigger);
  if (input === null) return { status: 400 };
  const requestKey = `hook:${trigger.id}:${key}`;
  const earlier = () => findRunByRequestKey(db, { workspaceId: trigger.workspaceId, initiatorId: trigger.userId, requestKey });
  const first = await earlier();
  if (first !== null) return repeat(db, first, input);
  const outcome = await performAsTrigger(db, services, trigger, { input, requestKey, nextAt: null });
  if (outcome.runId !== null) return started(db, outcome.runId);
  // Two calls with one key at the same moment: the other one has started the run.
  const meanwhile = outcome.refusal === 'conflict' ? await earlier() : null;
  if (meanwhile !== null) return repeat(db, meanwhile, input);
  const status = outcome.refusal === 'paused' ? 409 : ERROR_CODES[outcome.refusal];
  return status === 403 || status === 404 ? { status: 401 } : { status };
}

/** The same answer for the same body, a refusal for another. */
async function repeat(db: Db, run: EarlierRun, input: { [name: string]: Json }): Promise<Answer> {
  return canonicalJson(run.input) === canonicalJson(input) ? started(db, run.id) : { status: 409 };
}

async function started(db: Db, runId: string): Promise<Answer> {
  const run = await db.selectFrom('quorate.runs').where('id', '=', runId).select(['number', 'subject']).executeTakeFirstOrThrow();
  return { status: 202, runId, number: run.number, subject: plainSubject(readSubject(run.subject)) };
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

function refused(status: keyof typeof DETAILS, seconds?: number): Response {
  return problem(CODES[status], DETAILS[status], seconds === undefined ? {} : { headers: { 'Retry-After': String(seconds) } });
}

/** A webhook is posted to, and shows nothing. */
export function refuseReading(): Response {
  return problem('invalid_input', 'Send a signed call by POST.', { status: 405, headers: { Allow: 'POST' } });
}
