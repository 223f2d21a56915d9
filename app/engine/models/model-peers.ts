import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '#app/contracts/json.ts';
import type { ModelProvider, TokenUsage } from '#app/contracts/models.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { type GuardedFetch, ModelCallError, type ModelPort, type ModelTool } from '#app/contracts/ports.ts';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { CallTime } from '#app/engine/connections/call-time.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { cancelled, failureOfOutgoingCall, failureOfStatus, garbage, quoted, timedOut } from '#app/engine/connections/peer-failure.ts';
import { isJsonObject, storableJson, UnstorableJsonError } from '#app/engine/connections/peer-json.ts';
import { fetchWithin, type PeerTarget } from '#app/engine/connections/peer-target.ts';
import { listModels } from '#app/engine/models/list-models.ts';
import { capabilityOfModel } from '#app/engine/models/model-capability.ts';

const CHECK_TIMEOUT_MS = 15_000;

type ModelCall = {
  target: PeerTarget;
  settings: Json;
  capability: { name: string; fingerprint: string };
  input: { [key: string]: Json };
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
  onText?: (piece: string) => void;
};

/** Speaks to providers of language models: lists what they offer, and asks one of them. */
export class ModelPeers {
  readonly #fetch: GuardedFetch;
  readonly #models: ModelPort | null;

  constructor(deps: { fetch: GuardedFetch; models: ModelPort | null }) {
    this.#fetch = deps.fetch;
    this.#models = deps.models;
  }

  /** Lists every model that the key may use: a real call, which the provider refuses without a valid key. */
  async inspect(target: PeerTarget, settings: Json): Promise<PeerInspection> {
    const provider = providerOf(settings);
    const time = new CallTime(CHECK_TIMEOUT_MS);
    try {
      const models = await listModels({ provider, target, fetch: fetchWithin(target, this.#fetch), signal: time.signal });
      return { name: provider, version: '', protocolVersion: '', capabilities: models.map((model) => capabilityOfModel(provider, model)) };
    } catch (error) {
      throw failureOf(error, CHECK_TIMEOUT_MS, '');
    } finally {
      time.end();
    }
  }

  async call(call: ModelCall): Promise<{ output: Json; protocolVersion: string; usage: TokenUsage }> {
    const provider = providerOf(call.settings);
    const { prompt, messages, tools, system, maxTokens, temperature, schema } = call.input;
    const name = call.capability.name;
    const conversation = Array.isArray(messages) && messages.length > 0 ? messages : undefined;
    if (conversation === undefined && (typeof prompt !== 'string' || prompt.trim() === ''))
      throw new PeerError({ key: 'modelNoPrompt', values: { model: name }, retryable: false });
    if (this.#models === null) throw new Error('no model can be called in this process');
    const time = new CallTime(call.timeoutMs, call.signal);
    try {
      const answer = await this.#models.generate({
        provider,
        baseUrl: call.target.url.href.replace(/\/+$/, ''),
        credential: call.target.credential,
        model: name,
        prompt: typeof prompt === 'string' ? prompt : '',
        ...(conversation === undefined ? {} : { messages: conversation }),
        ...(Array.isArray(tools) ? { tools: tools.flatMap(toolOf) } : {}),
        system: typeof system === 'string' ? system : '',
        maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
        temperature: typeof temperature === 'number' ? temperature : null,
        schema: isJsonObject(schema) ? schema : null,
        idempotencyKey: call.idempotencyKey,
        fetch: fetchWithin(call.target, this.#fetch),
        signal: time.signal,
        ...(call.onText === undefined ? {} : { onText: call.onText }),
      });
      if (isJsonObject(schema) && !fits(schema, answer.json)) throw new ModelCallError({ kind: 'noFit' }, { usage: answer.usage });
      const output = storableJson({
        text: answer.text,
        ...(answer.json === undefined ? {} : { json: answer.json }),
        ...(conversation === undefined ? {} : { toolCalls: answer.toolCalls ?? [], message: answer.message ?? null }),
        finishReason: answer.finishReason,
        usage: answer.usage,
      });
      return { output, protocolVersion: '', usage: answer.usage };
    } catch (error) {
      if (call.signal.aborted) throw cancelled(error);
      if (time.signal.aborted) throw timedOut(call.timeoutMs, error);
      throw failureOf(error, call.timeoutMs, name);
    } finally {
      time.end();
    }
  }
}

function toolOf(tool: Json): ModelTool[] {
  if (!isJsonObject(tool) || typeof tool.name !== 'string' || !isJsonObject(tool.inputSchema)) return [];
  return [{ name: tool.name, description: typeof tool.description === 'string' ? tool.description : '', inputSchema: tool.inputSchema }];
}

/** Providers promise to keep to a schema; what a later step builds on is looked at. */
function fits(schema: { [key: string]: Json }, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
  try {
    return ajv.compile(schema)(value);
  } catch (error) {
    throw new PeerError({ key: 'modelSchemaUnusable', values: {}, retryable: false }, { cause: error });
  }
}

function providerOf(settings: Json): ModelProvider {
  const parsed = modelSettingsSchema.safeParse(settings);
  if (!parsed.success) throw new PeerError({ key: 'peerAddressRefused', values: {}, retryable: false });
  return parsed.data.provider;
}

function failureOf(error: unknown, timeoutMs: number, model: string): PeerError {
  if (error instanceof PeerError) return error;
  const outgoing = outgoingCallErrorIn(error);
  if (outgoing !== null) return failureOfOutgoingCall(outgoing, timeoutMs);
  if (error instanceof UnstorableJsonError || !(error instanceof ModelCallError)) return garbage('HTTP', error);
  const { fault, usage } = error;
  const counted = usage === null ? {} : { usage };
  if (fault.kind === 'noFit')
    return new PeerError({ key: 'modelAnswerUnfit', values: { model }, retryable: true, ...counted }, { cause: error });
  if (fault.kind === 'garbage') return garbage('HTTP', error);
  if (fault.status === 400 || fault.status === 404 || fault.status === 422)
    return new PeerError(
      { key: 'peerInputRefused', values: { capability: model, message: quoted(fault.message) }, retryable: false },
      { cause: error },
    );
  const failure = failureOfStatus(fault.status, error);
  if (fault.retryAfterSeconds === null) return failure;
  return new PeerError({ ...failure.failure, retryAfterSeconds: fault.retryAfterSeconds }, { cause: error });
}
