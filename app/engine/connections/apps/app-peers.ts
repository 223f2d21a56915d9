import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from '#app/contracts/json.ts';
import type { PeerCapability, PeerInspection } from '#app/contracts/peer.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { APP_PARTNER_NAMES, type AppPartner } from '#app/domain/connections/app-partners.ts';
import { appSettingsSchema } from '#app/domain/connections/app-settings.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import type { AppAdapter, AppCapability, AppRequest, AppResponse } from '#app/engine/connections/apps/app-adapter.ts';
import { camunda } from '#app/engine/connections/apps/camunda.ts';
import { http } from '#app/engine/connections/apps/http.ts';
import { huggingFace } from '#app/engine/connections/apps/hugging-face.ts';
import { langGraph } from '#app/engine/connections/apps/lang-graph.ts';
import { n8n } from '#app/engine/connections/apps/n8n.ts';
import { servicenow } from '#app/engine/connections/apps/servicenow.ts';
import { supabase } from '#app/engine/connections/apps/supabase.ts';
import { CallTime } from '#app/engine/connections/call-time.ts';
import { fingerprintOf } from '#app/engine/connections/fingerprint.ts';
import { IDEMPOTENCY_HEADER } from '#app/engine/connections/idempotency.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { cancelled, failureOfOutgoingCall, failureOfResponse, garbage, quoted, timedOut } from '#app/engine/connections/peer-failure.ts';
import { storableJson, UnstorableJsonError } from '#app/engine/connections/peer-json.ts';
import type { PeerTarget } from '#app/engine/connections/peer-target.ts';

const ADAPTERS: Readonly<Record<AppPartner, AppAdapter>> = { camunda, servicenow, supabase, huggingFace, langGraph, n8n, http };
const CHECK_TIMEOUT_MS = 15_000;
/** Nothing said counts as text: bytes that are none are found when they are stored. */
const TEXT = /^$|^text\/|\b(?:xml|csv|yaml|javascript|x-www-form-urlencoded)\b/;

type AppCall = {
  target: PeerTarget;
  settings: Json;
  capability: { name: string; fingerprint: string };
  input: { [key: string]: Json };
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
};

/** The capabilities of a partner's adapter, pinned like any other: a changed definition in a new release waits for approval again. */
export function capabilitiesOfApp(partner: AppPartner): PeerCapability[] {
  return ADAPTERS[partner].capabilities.map(({ name, title, description, effect, inputSchema, outputSchema }) => {
    const definition = { partner, name, title, description, effect, inputSchema, outputSchema };
    return { kind: 'tool', name, title, description, inputSchema, outputSchema, definition, fingerprint: fingerprintOf(definition) };
  });
}

/** Speaks to services of others by their own interfaces. */
export class AppPeers {
  readonly #fetch: GuardedFetch;
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #validators = new Map<AppCapability, ValidateFunction>();

  constructor(deps: { fetch: GuardedFetch }) {
    this.#fetch = deps.fetch;
  }

  /** One request that needs the credential; the capabilities are the adapter's. */
  async inspect(target: PeerTarget, settings: Json): Promise<PeerInspection> {
    const partner = partnerOf(settings);
    const adapter = ADAPTERS[partner];
    const time = new CallTime(CHECK_TIMEOUT_MS);
    try {
      const elsewhere = adapter.checkOrigin?.(target.url) ?? null;
      const at = elsewhere === null ? target : { ...target, url: new URL(elsewhere.origin) };
      const check = elsewhere === null ? adapter.check : { ...adapter.check, path: elsewhere.path };
      await this.#send(adapter, at, check, { signal: time.signal, idempotencyKey: null, name: '' });
      return inspectionOf(partner);
    } catch (error) {
      if (adapter.check.anyAnswer === true && outgoingCallErrorIn(error)?.failure === 'redirected') return inspectionOf(partner);
      throw failureOf(error, CHECK_TIMEOUT_MS);
    } finally {
      time.end();
    }
  }

  async call(call: AppCall): Promise<{ output: Json; protocolVersion: string }> {
    const partner = partnerOf(call.settings);
    const adapter = ADAPTERS[partner];
    const { name, fingerprint } = call.capability;
    const capability = adapter.capabilities.find((candidate) => candidate.name === name);
    const pinned = capabilitiesOfApp(partner).find((candidate) => candidate.name === name);
    if (capability === undefined || pinned === undefined)
      throw new PeerError({ key: 'peerToolRemoved', values: { capability: name }, retryable: false });
    if (pinned.fingerprint !== fingerprint) throw new PeerError({ key: 'peerToolChanged', values: { capability: name }, retryable: false });
    this.#assertInput(capability, call.input);
    const time = new CallTime(call.timeoutMs, call.signal);
    try {
      const { answer, response } = await this.#send(adapter, call.target, capability.request(call.input), {
        signal: time.signal,
        idempotencyKey: call.idempotencyKey,
        name,
        ...(capability.answersText === undefined ? {} : { answersText: capability.answersText }),
      });
      return { output: storableJson(capability.output?.(answer, response) ?? answer), protocolVersion: '' };
    } catch (error) {
      if (call.signal.aborted) throw cancelled(error);
      if (time.signal.aborted) throw timedOut(call.timeoutMs, error);
      throw failureOf(error, call.timeoutMs);
    } finally {
      time.end();
    }
  }

  #assertInput(capability: AppCapability, input: { [key: string]: Json }): void {
    let validate = this.#validators.get(capability);
    if (validate === undefined) {
      validate = this.#ajv.compile(capability.inputSchema);
      this.#validators.set(capability, validate);
    }
    if (validate(input)) return;
    const message = quoted(this.#ajv.errorsText(validate.errors, { dataVar: 'input' }));
    throw new PeerError({ key: 'peerInputRefused', values: { capability: capability.name, message }, retryable: false });
  }

  async #send(
    adapter: AppAdapter,
    target: PeerTarget,
    request: AppRequest,
    {
      signal,
      idempotencyKey,
      name,
      answersText,
    }: { signal: AbortSignal; idempotencyKey: string | null; name: string; answersText?: AppCapability['answersText'] },
  ): Promise<{ answer: Json; response: AppResponse }> {
    const base = target.url.href.replace(/\/+$/, '');
    const url = new URL(`${base}${request.path}`);
    // The path comes from a step's values: it must not lead out of what the connection was made for.
    if (url.href !== base && !`${url.href}/`.startsWith(`${base}/`)) throw leavesAddress(name);
    for (const [key, value] of Object.entries(request.query ?? {})) if (value !== undefined) url.searchParams.set(key, String(value));
    const response = await this.#fetch(url, {
      privateNetwork: target.privateNetwork,
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
        ...(request.withoutCredential === true ? {} : adapter.headers(target.credential)),
        ...(idempotencyKey === null ? {} : { [IDEMPOTENCY_HEADER]: idempotencyKey }),
      },
      ...(request.body === undefined ? {} : { body: encoded(request.body, request.headers?.['content-type']) }),
      signal,
    });
    const text = await response.text();
    if (!(request.expects?.(response.status) ?? response.ok)) throw failureOfAnswer(response, text, name);
    const { status } = response;
    const headers = Object.fromEntries([...response.headers].filter(([header]) => header !== 'set-cookie'));
    const answer = request.anyAnswer === true ? {} : readAnswer(text, headers['content-type'] ?? '', answersText);
    return { answer, response: { status, headers } };
  }
}

function readAnswer(text: string, contentType: string, answersText: AppCapability['answersText']): Json {
  if (text.trim() === '') return {};
  try {
    return storableJson(JSON.parse(text));
  } catch (error) {
    // For a service of a known kind, an HTML page instead of data: another server is at this address, or it wants a sign-in.
    const isText = answersText === 'any' ? TEXT.test(contentType) : answersText === 'plain' && contentType.startsWith('text/plain');
    if (isText && !(error instanceof UnstorableJsonError)) return storableJson(text);
    throw garbage('HTTP', error);
  }
}

/**
 * JSON, a form where the request says so, or text as it is where the request names another content type. A text that is an object or a list in JSON
 * already goes as it is: it was written as the body, and not as a text in it.
 */
function encoded(body: Json, contentType = 'application/json'): string | URLSearchParams {
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (contentType.startsWith('application/x-www-form-urlencoded') && isRecord)
    return new URLSearchParams(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
  return typeof body === 'string' && (!/\bjson\b/.test(contentType) || isJsonText(body)) ? body : JSON.stringify(body);
}

function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function leavesAddress(name: string): PeerError {
  const message = quoted('the path leads out of the address of the connection');
  return new PeerError({ key: 'peerInputRefused', values: { capability: name, message }, retryable: false });
}

/** A partner's refusal (4xx) is quoted, since it is about the step's input; other answers could reveal the network behind the partner. */
function failureOfAnswer(response: Response, text: string, name: string): PeerError {
  if (name !== '' && (response.status === 400 || response.status === 404 || response.status === 422))
    return new PeerError({ key: 'peerInputRefused', values: { capability: name, message: quoted(text) }, retryable: false });
  return failureOfResponse(response);
}

function inspectionOf(partner: AppPartner): PeerInspection {
  return { name: APP_PARTNER_NAMES[partner], version: '', protocolVersion: '', capabilities: capabilitiesOfApp(partner) };
}

function partnerOf(settings: Json): AppPartner {
  const parsed = appSettingsSchema.safeParse(settings);
  if (!parsed.success) throw new PeerError({ key: 'peerAddressRefused', values: {}, retryable: false });
  return parsed.data.partner;
}

function failureOf(error: unknown, timeoutMs: number): PeerError {
  if (error instanceof PeerError) return error;
  const outgoing = outgoingCallErrorIn(error);
  if (outgoing !== null) return failureOfOutgoingCall(outgoing, timeoutMs);
  return garbage('HTTP', error);
}
