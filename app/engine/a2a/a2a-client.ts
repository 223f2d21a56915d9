import { setTimeout as pause } from 'node:timers/promises';
import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { RequestOptions, Transport } from '@a2a-js/sdk/client';
import { A2AError } from '@a2a-js/sdk/errors';
import { LRUCache } from 'lru-cache';
import type { Json } from '#app/contracts/json.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { outputOfAgent, statusText } from '#app/engine/a2a/a2a-output.ts';
import { type AgentConnection, readAgent, transportOf } from '#app/engine/a2a/agent-connection.ts';
import { SKILL_METADATA } from '#app/engine/a2a/skill-schemas.ts';
import { streamMessage } from '#app/engine/a2a/stream-message.ts';
import { CallTime, orAbort } from '#app/engine/connections/call-time.ts';
import { shownText } from '#app/engine/connections/fingerprint.ts';
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_METADATA } from '#app/engine/connections/idempotency.ts';
import { PeerError, peerErrorIn } from '#app/engine/connections/peer.ts';
import { cancelled, failureOfOutgoingCall, failureOfStatus, garbage, quoted, timedOut } from '#app/engine/connections/peer-failure.ts';
import { UnstorableJsonError } from '#app/engine/connections/peer-json.ts';
import { fetchFor, type PeerTarget, targetKey } from '#app/engine/connections/peer-target.ts';

const CONNECT_TIMEOUT_MS = 15_000;
const CANCEL_TIMEOUT_MS = 2_000;
/** A card this young is used for a call: one request serves a burst, and a change shows at the next call. */
const CARD_FRESH_MS = 250;
const BUILTIN_CARD_FRESH_MS = 3_600_000;
const MAX_CARDS = 500;
const FIRST_POLL_MS = 200;
const LONGEST_POLL_MS = 3_000;

export type A2aCall = {
  target: PeerTarget;
  capability: { name: string; fingerprint: string };
  input: { [key: string]: Json };
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
  onText?: (piece: string) => void;
};

/** Speaks to A2A agents (1.0, and 0.3 where they offer nothing newer) over JSON-RPC or REST. A card is read once for a burst of calls. */
export class A2aPeers {
  readonly #fetch: GuardedFetch;
  readonly #cards = new LRUCache<string, Promise<AgentConnection>>({ max: MAX_CARDS });

  constructor(deps: { fetch: GuardedFetch }) {
    this.#fetch = deps.fetch;
  }

  async inspect(target: PeerTarget): Promise<PeerInspection> {
    let status = 0;
    try {
      const fetchPeer = this.#fetchWithin(target, AbortSignal.timeout(CONNECT_TIMEOUT_MS), (code) => {
        status = code;
      });
      const { card, agentInterface, capabilities } = await readAgent(target, fetchPeer);
      this.#cards.delete(targetKey(target));
      return {
        name: shownText(card.name, 120),
        version: shownText(card.version, 60),
        protocolVersion: shownText(agentInterface.protocolVersion, 40),
        capabilities,
      };
    } catch (error) {
      throw failureOf(error, CONNECT_TIMEOUT_MS, '', status);
    }
  }

  /** Sends the input as a message and waits for the task to end. */
  async call(call: A2aCall): Promise<{ output: Json; protocolVersion: string }> {
    const time = new CallTime(call.timeoutMs, call.signal);
    const limit = time.signal;
    let status = 0;
    let open: { transport: Transport; task: Pick<Task, 'id'>; options: RequestOptions } | null = null;
    try {
      const connection = await this.#agent(call.target, limit);
      assertUnchanged(connection, call.capability);
      const fetchPeer = this.#fetchWithin(call.target, limit, (code) => {
        status = code;
      });
      const transport = await transportOf(connection, fetchPeer);
      const options: RequestOptions = {
        signal: limit,
        serviceParameters: { 'A2A-Version': transport.protocolVersion, [IDEMPOTENCY_HEADER]: call.idempotencyKey },
      };
      const streams = call.onText !== undefined && connection.card.capabilities?.streaming === true && !call.target.builtin;
      let answer = await (streams
        ? streamMessage(transport, requestOf(call, connection), options, {
            onText: call.onText,
            onTask: (task) => {
              open = { transport, task, options };
            },
          })
        : transport.sendMessage(requestOf(call, connection), options));
      for (let wait = FIRST_POLL_MS; !('messageId' in answer) && isOpen(answer); wait = Math.min(wait * 1.5, LONGEST_POLL_MS)) {
        open = { transport, task: answer, options };
        await pause(wait, undefined, { signal: limit });
        answer = await transport.getTask({ tenant: connection.agentInterface.tenant, id: answer.id, historyLength: 0 }, options);
      }
      open = null;
      if (!('messageId' in answer)) assertCompleted(answer, call.capability.name);
      return { output: outputOfAgent(answer), protocolVersion: connection.agentInterface.protocolVersion };
    } catch (error) {
      if (open !== null && limit.aborted) this.#cancel(open, call.target);
      if (call.signal.aborted) throw cancelled(error);
      if (limit.aborted) throw timedOut(call.timeoutMs, error);
      const failure = failureOf(error, call.timeoutMs, call.capability.name, status);
      if (failure.failure.key !== 'peerTaskFailed') this.#cards.delete(targetKey(call.target));
      throw failure;
    } finally {
      time.end();
    }
  }

  /** The answer is not awaited: the step is over, whether or not the agent stops. */
  #cancel(
    { transport, task, options }: { transport: Transport; task: Pick<Task, 'id'>; options: RequestOptions },
    target: PeerTarget,
  ): void {
    const late = this.#fetchWithin(target, AbortSignal.timeout(CANCEL_TIMEOUT_MS));
    void this.#agent(target, AbortSignal.timeout(CANCEL_TIMEOUT_MS))
      .then((connection) => transportOf(connection, late))
      .then((again) =>
        again.cancelTask({ tenant: '', id: task.id, metadata: undefined }, { ...options, signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) }),
      )
      .catch(() => transport.protocolName);
  }

  async #agent(target: PeerTarget, limit: AbortSignal): Promise<AgentConnection> {
    const key = targetKey(target);
    const known = this.#cards.get(key);
    if (known !== undefined) return known;
    // Others wait for the same card: it has a time limit of its own, not the signal of the first caller.
    let status = 0;
    const fetchPeer = this.#fetchWithin(target, AbortSignal.timeout(CONNECT_TIMEOUT_MS), (code) => {
      status = code;
    });
    const connection = readAgent(target, fetchPeer).catch((error: unknown) => {
      throw failureOf(error, CONNECT_TIMEOUT_MS, '', status);
    });
    this.#cards.set(key, connection, { ttl: target.builtin ? BUILTIN_CARD_FRESH_MS : CARD_FRESH_MS });
    connection.catch(() => this.#cards.delete(key));
    return orAbort(connection, limit);
  }

  #fetchWithin(target: PeerTarget, signal: AbortSignal, onStatus?: (status: number) => void): typeof fetch {
    const fetchPeer = fetchFor(target, this.#fetch, onStatus);
    return (input, init) => fetchPeer(input, { ...init, signal: init?.signal ?? signal });
  }
}

function assertUnchanged(connection: AgentConnection, capability: { name: string; fingerprint: string }): void {
  const now = connection.capabilities.find((candidate) => candidate.name === capability.name);
  if (now === undefined) throw new PeerError({ key: 'peerToolRemoved', values: { capability: capability.name }, retryable: false });
  if (now.fingerprint !== capability.fingerprint) {
    throw new PeerError({ key: 'peerToolChanged', values: { capability: capability.name }, retryable: false });
  }
}

/** `text` travels as words, everything else as data beside it. The id of the message is the step's key: an agent that knows it need not begin again. */
function requestOf(call: A2aCall, connection: AgentConnection) {
  const { text, ...rest } = call.input;
  const parts: Part[] = [];
  if (typeof text === 'string' && text !== '')
    parts.push({ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' });
  const data = typeof text === 'string' || text === undefined ? rest : call.input;
  if (Object.keys(data).length > 0 || parts.length === 0) {
    parts.push({ content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: 'application/json' });
  }
  const metadata = { [IDEMPOTENCY_METADATA]: call.idempotencyKey, [SKILL_METADATA]: call.capability.name };
  const message: Message = {
    messageId: call.idempotencyKey,
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts,
    metadata,
    extensions: [],
    referenceTaskIds: [],
  };
  return {
    tenant: connection.agentInterface.tenant,
    message,
    configuration: {
      acceptedOutputModes: ['application/json', 'text/plain'],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
    },
    metadata,
  };
}

function isOpen(task: Task): boolean {
  const state = task.status?.state;
  return state === TaskState.TASK_STATE_SUBMITTED || state === TaskState.TASK_STATE_WORKING;
}

function assertCompleted(task: Task, name: string): void {
  const state = task.status?.state;
  if (state === TaskState.TASK_STATE_COMPLETED) return;
  const values = { capability: name, message: quoted(statusText(task)) };
  if (state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED) {
    throw new PeerError({ key: 'peerNeedsInput', values, retryable: false });
  }
  if (state === TaskState.TASK_STATE_REJECTED) throw new PeerError({ key: 'peerTaskRejected', values, retryable: false });
  if (state === TaskState.TASK_STATE_CANCELED) throw new PeerError({ key: 'peerTaskCancelled', values, retryable: false });
  if (state === TaskState.TASK_STATE_FAILED) throw new PeerError({ key: 'peerTaskFailed', values, retryable: true });
  throw garbage('A2A');
}

function failureOf(error: unknown, timeoutMs: number, name: string, status: number): PeerError {
  const known = peerErrorIn(error);
  if (known !== null) return known;
  const outgoing = outgoingCallErrorIn(error);
  if (outgoing !== null) return failureOfOutgoingCall(outgoing, timeoutMs);
  if (error instanceof UnstorableJsonError) return garbage('A2A', error);
  if (error instanceof A2AError) {
    const mismatch = /version/i.test(error.name) || /version/i.test(error.message);
    if (mismatch) return new PeerError({ key: 'peerProtocolMismatch', values: { protocol: 'A2A' }, retryable: false }, { cause: error });
    return new PeerError(
      { key: 'peerToolError', values: { capability: name, message: quoted(error.message) }, retryable: true },
      { cause: error },
    );
  }
  if (status !== 0) return failureOfStatus(status, error);
  return garbage('A2A', error);
}
