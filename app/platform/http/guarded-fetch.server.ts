import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { GuardedFetch, GuardedInit } from '#app/contracts/ports.ts';
import { MAX_STREAM_EVENTS, OutgoingCallError, outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { NOTHING_PRIVATE } from '#app/domain/connections/workspace-network.ts';
import { EventCount } from '#app/platform/http/event-count.ts';
import { assertAllowedUrl, guardedConnector } from '#app/platform/http/guarded-address.server.ts';
import { NO_PRIVATE_NETWORK, type PrivateNetwork, readPrivateNetwork } from '#app/platform/http/private-network.server.ts';

export type GuardedFetchOptions = {
  /** ALLOW_PRIVATE_NETWORK: what workspaces may list as reachable inside, over plain http too. Without it, nothing. */
  privateNetwork?: PrivateNetwork;
  /** Origins that may be reached whatever their address: the process's own built-in peers. Asked at every call. */
  allowedOrigins?: () => readonly string[];
  /** Bytes of a decoded response body. */
  maxBytes?: number;
  connectTimeoutMs?: number;
  /** Time for everything, where the caller brings no signal of its own. */
  totalTimeoutMs?: number;
  /** For tests: answers names in the system's place. */
  resolve?: Parameters<typeof guardedConnector>[0]['resolve'];
};

const MAX_BYTES = 5 * 1024 * 1024;
/** A model's answer, of which each event is a few letters in some 300 bytes. */
const LONG_STREAM = { bytes: 64 * 1024 * 1024, events: 100_000 };
const CONNECT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 30_000;
/** Sockets to one peer: more calls than this wait for one to be free. */
const SOCKETS_PER_ORIGIN = 1_024;
/** Lists of workspaces that keep sockets open. */
const MOST_LISTS = 100;

/**
 * The only way out of the process to addresses that people type in. Https alone, public addresses alone (checked when the
 * socket connects), no redirect followed, caps on time and on decoded size. Built on undici's `request`, since its
 * `fetch` costs several times the processor time a call.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch & { close(): Promise<void> } {
  const usualBytes = options.maxBytes ?? MAX_BYTES;
  const totalTimeoutMs = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
  const isAllowedOrigin = (origin: string) => options.allowedOrigins?.().includes(origin) ?? false;
  const instance = options.privateNetwork ?? NO_PRIVATE_NETWORK;
  // With the first call: the library costs the start 130 ms of processor time and 7 MB, and many a process never calls.
  const open = async (workspace: WorkspaceNetwork) => {
    const { Agent, request } = await import('undici');
    const agent = new Agent({
      connect: await guardedConnector({
        connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
        isAllowedOrigin,
        privateNetworks: [instance, listOf(workspace, instance)],
        ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
      }),
      connections: SOCKETS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      // The signal bounds the whole call; undici's own limits would cut off a peer that works for long in silence.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 32_768,
    });
    return { agent, request };
  };
  const agents = new AgentsByList(open);

  const guardedFetch = async (input: RequestInfo | URL, init: GuardedInit = {}): Promise<Response> => {
    const from = input instanceof Request ? input : null;
    const url = parseUrl(from?.url ?? String(input));
    assertAllowedUrl(url);
    const maxBytes = Math.min(usualBytes, init.maxBytes ?? usualBytes);
    const limit = new CallLimit(init.signal ?? from?.signal ?? null, totalTimeoutMs);
    try {
      const headers: Record<string, string> = {};
      new Headers(init.headers ?? from?.headers).forEach((value, name) => {
        if (name !== 'connection' && name !== 'host' && name !== 'content-length') headers[name] = value;
      });
      const { agent, request } = await agents.of(
        instance.entries.length === 0 ? NOTHING_PRIVATE : (init.privateNetwork ?? NOTHING_PRIVATE),
      );
      const response = await request(url, {
        dispatcher: agent,
        method: (init.method ?? from?.method ?? 'GET').toUpperCase() as 'GET',
        headers,
        body: await bodyOf(init.body ?? (from === null ? null : await from.arrayBuffer())),
        signal: limit.signal,
        responseHeaders: null,
      });
      // A body given up half-way fails once more after its reader has left, which would end the process.
      response.body.on('error', ignore);
      if (response.statusCode >= 300 && response.statusCode < 400 && response.statusCode !== 304) {
        response.body.destroy();
        throw new OutgoingCallError('redirected');
      }
      const replyHeaders = new Headers();
      for (const [name, value] of Object.entries(response.headers)) {
        if (value !== undefined && name !== 'content-encoding' && name !== 'content-length') {
          for (const one of Array.isArray(value) ? value : [value]) replyHeaders.append(name, one);
        }
      }
      const length = Number(response.headers['content-length'] ?? '0');
      if (length > maxBytes) {
        response.body.destroy();
        throw new OutgoingCallError('too_large');
      }
      const body = decoded(response.body, response.headers['content-encoding']);
      const shared = { status: response.statusCode, headers: replyHeaders };
      if (response.statusCode === 204 || response.statusCode === 205 || response.statusCode === 304) {
        response.body.destroy();
        limit.end();
        return new Response(null, shared);
      }
      // Only an event stream is of use before its end; anything else is read at once, which is far cheaper than a stream.
      if (replyHeaders.get('content-type')?.startsWith('text/event-stream') !== true) {
        const bytes = await readAll(body, maxBytes);
        limit.end();
        return new Response(bytes, shared);
      }
      return new Response(
        cappedStream(body, init.longStream === true ? LONG_STREAM : { bytes: maxBytes, events: MAX_STREAM_EVENTS }, limit),
        shared,
      );
    } catch (error) {
      limit.end();
      throw limit.explain(error);
    }
  };
  return Object.assign(guardedFetch, { close: () => agents.close() });
}

function listOf(workspace: WorkspaceNetwork, instance: PrivateNetwork): PrivateNetwork {
  return workspace === 'instance' ? instance : (readPrivateNetwork(workspace.join(',')) ?? NO_PRIVATE_NETWORK);
}

/** Agents by the list they connect within: an open socket is not checked again, so none may serve a workspace with another list. */
class AgentsByList<Opened extends { agent: { close(): Promise<void>; destroy(): Promise<void> } }> {
  readonly #open: (list: WorkspaceNetwork) => Promise<Opened>;
  /** A list's agent closes when it is let go and its calls have ended. */
  readonly #opened = new LRUCache<string, Promise<Opened>>({
    max: MOST_LISTS,
    dispose: (opened) => opened.then(({ agent }) => agent.close(), ignore),
  });

  constructor(open: (list: WorkspaceNetwork) => Promise<Opened>) {
    this.#open = open;
  }

  of(list: WorkspaceNetwork): Promise<Opened> {
    const key = list === 'instance' ? list : list.join(',');
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opened = this.#open(list);
    this.#opened.set(key, opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(async (opened) => (await opened).agent.destroy()));
  }
}

/** The time limit of one call: the caller's own signal, or ours. Made so that a quick call leaves no timer behind. */
class CallLimit {
  readonly #caller: AbortSignal | null;
  readonly #controller: AbortController | null;
  readonly #timer: NodeJS.Timeout | null = null;

  constructor(caller: AbortSignal | null, totalTimeoutMs: number) {
    this.#caller = caller;
    this.#controller = caller === null ? new AbortController() : null;
    if (this.#controller === null) return;
    this.#timer = setTimeout(() => this.#controller?.abort(new DOMException('time is up', 'TimeoutError')), totalTimeoutMs);
    this.#timer.unref();
  }

  get signal(): AbortSignal | null {
    return this.#caller ?? this.#controller?.signal ?? null;
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  explain(error: unknown): OutgoingCallError {
    const known = outgoingCallErrorIn(error);
    if (known !== null) return known;
    if (this.signal?.aborted === true) {
      const reason: unknown = this.signal.reason;
      return new OutgoingCallError(reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'aborted', { cause: error });
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const connected = !NOT_CONNECTED.has(code);
    return new OutgoingCallError(code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'unreachable', { cause: error, connected });
  }
}

/** Codes of a connection that never came about. A reset is not among them: it may come after the request was read. */
const NOT_CONNECTED = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
]);

/** Errors of a stream reach whoever reads it; this only keeps them from being uncaught. */
const ignore = () => undefined;

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw new OutgoingCallError('refused', { cause });
  }
}

async function bodyOf(body: BodyInit | null): Promise<string | Uint8Array | null> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return body.byteLength === 0 ? null : new Uint8Array(body);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : null;
  if (decoder === null) return body;
  decoder.on('error', ignore);
  body.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
}

async function readAll(body: Readable, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      body.destroy();
      throw new OutgoingCallError('too_large');
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function cappedStream(body: Readable, most: { bytes: number; events: number }, limit: CallLimit): ReadableStream<Uint8Array> {
  const iterator = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let size = 0;
  const events = new EventCount();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) {
          limit.end();
          controller.close();
          return;
        }
        size += next.value.length;
        if (size > most.bytes) throw new OutgoingCallError('too_large');
        if (events.add(next.value) > most.events) throw new OutgoingCallError('too_many_events');
        controller.enqueue(new Uint8Array(next.value));
      } catch (error) {
        limit.end();
        body.destroy();
        controller.error(limit.explain(error));
      }
    },
    cancel() {
      limit.end();
      body.destroy();
    },
  });
}
