import {
  Client,
  isInputRequiredResult,
  type McpSubscription,
  ProtocolError,
  SdkError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { Json } from '#app/contracts/json.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { MAX_LIST_PAGES } from '#app/engine/connections/assert-listable.ts';
import { CallTime, orAbort } from '#app/engine/connections/call-time.ts';
import { shownText } from '#app/engine/connections/fingerprint.ts';
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_METADATA } from '#app/engine/connections/idempotency.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { cancelled, failureOfOutgoingCall, timedOut } from '#app/engine/connections/peer-failure.ts';
import { fetchFor, type PeerTarget, targetKey } from '#app/engine/connections/peer-target.ts';
import { challenged } from '#app/engine/mcp/challenged.ts';
import { LastingTransport, processTransport, streamTransport } from '#app/engine/mcp/lasting-transport.ts';
import { failureOf, isSessionOver, SessionOverError, toolError } from '#app/engine/mcp/mcp-failure.ts';
import { outputOfTool } from '#app/engine/mcp/mcp-output.ts';
import { structuralValidator } from '#app/engine/mcp/output-validator.ts';
import { RecordedTransport } from '#app/engine/mcp/recorded-transport.ts';
import { ResumedStreams } from '#app/engine/mcp/resumed-stream.ts';
import { CONNECT_TIMEOUT_MS, LIST_FRESH_MS, readToolList, type ToolList } from '#app/engine/mcp/tool-list.ts';
import { watchOverflow } from '#app/engine/mcp/watch-overflow.ts';

/** The built-in peers' definitions are part of this process. */
const BUILTIN_LIST_FRESH_MS = 3_600_000;
const MAX_CONNECTIONS = 500;
/** Streams that stay open to hear of changes; the others are checked by the hour. */
const MAX_SUBSCRIPTIONS = 200;
const SUBSCRIBE_TIMEOUT_MS = 3_000;
const TOLD_EVERY_MS = 10_000;
const NO_POST: ReadonlySet<number> = new Set([404, 405]);

type Connection = {
  client: Client;
  /** Of an older server over HTTP, for as long as it lasts. */
  session(): string | undefined;
  /** A child of ours, or a stream that stays open. */
  lasting: LastingTransport | null;
  /** Of a call over HTTP that an older server interrupts. */
  resumed: ResumedStreams | null;
  listing: Promise<ToolList> | null;
  listedAt: number;
  /** How long the list is used for calls. */
  freshMs: number;
  /** Open while the server tells of changes on a stream of its own (2026-07-28, Subscriptions). */
  subscription: McpSubscription | null;
};

export type McpCall = {
  target: PeerTarget;
  capability: { name: string; fingerprint: string };
  input: { [key: string]: Json };
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
};

/**
 * Speaks to MCP servers of every era over Streamable HTTP, the stream of 2024 where that is all they have, and to those that the operator lets run here over their standard streams. One client an endpoint and credential is kept, with the era
 * found at its first connect, so that a call is one HTTP request.
 */
export class McpPeers {
  readonly #fetch: GuardedFetch;
  readonly #version: string;
  readonly #onToolsChanged: ((endpoint: string) => void) | null;
  readonly #connections = new LRUCache<string, Promise<Connection>>({ max: MAX_CONNECTIONS });
  readonly #lasting = new Set<LastingTransport>();
  /** Calls under way, by server and idempotency key: how one ends whose answer grows too large. */
  readonly #underWay = new Map<string, CallTime>();
  #subscriptions = 0;

  /** `onToolsChanged` is called with the address of a server that says that its list has changed; with it servers are asked to say so. */
  constructor(deps: { fetch: GuardedFetch; version: string; onToolsChanged?: ((endpoint: string) => void) | undefined }) {
    this.#fetch = deps.fetch;
    this.#version = deps.version;
    this.#onToolsChanged = deps.onToolsChanged ?? null;
  }

  /** Connects again and lists every tool. */
  async inspect(target: PeerTarget): Promise<PeerInspection> {
    this.#drop(target);
    let held: LastingTransport | null = null;
    try {
      const connection = await this.#connect(target);
      held = connection.lasting;
      held?.hold();
      const listing = await this.#list(connection);
      await this.#subscribe(connection);
      const server = connection.client.getServerVersion();
      return {
        name: shownText(server?.title ?? server?.name ?? '', 120),
        version: shownText(server?.version ?? '', 60),
        protocolVersion: shownText(connection.client.getNegotiatedProtocolVersion() ?? '', 40),
        capabilities: listing.capabilities,
      };
    } catch (error) {
      this.#drop(target);
      throw failureOf(error, CONNECT_TIMEOUT_MS, '', target);
    } finally {
      held?.release();
    }
  }

  /** Calls one tool, provided that its definition is still the approved one. */
  async call(call: McpCall): Promise<{ output: Json; protocolVersion: string }> {
    const { target, capability } = call;
    const time = new CallTime(call.timeoutMs, call.signal);
    const limit = time.signal;
    const name = callName(target, call.idempotencyKey);
    this.#underWay.set(name, time);
    try {
      return await this.#attempt(call, limit).catch((error: unknown) => {
        // An older server that was restarted has forgotten the session: it did nothing, and wants a new one (2025-11-25, Session Management).
        if (!isSessionOver(error)) throw error;
        this.#drop(target);
        return this.#attempt(call, limit);
      });
    } catch (error) {
      // A process that does not answer is not asked again: it ends, and the next call starts another.
      if (target.command !== undefined && limit.aborted) this.#drop(target);
      if (call.signal.aborted) throw cancelled(error);
      const overflow = outgoingCallErrorIn(limit.reason);
      if (overflow !== null) throw failureOfOutgoingCall(overflow, call.timeoutMs);
      if (limit.aborted) throw timedOut(call.timeoutMs, error);
      const failure = failureOf(error, call.timeoutMs, capability.name, target);
      // A session may have ended or an era changed: the next attempt connects again.
      if (failure.failure.key !== 'peerToolError' && failure.failure.key !== 'peerTimeout') this.#drop(target);
      throw failure;
    } finally {
      this.#underWay.delete(name);
      time.end();
    }
  }

  async #attempt(
    { target, capability, input, idempotencyKey, timeoutMs }: McpCall,
    limit: AbortSignal,
  ): Promise<{ output: Json; protocolVersion: string }> {
    const connection = await orAbort(this.#connect(target), limit);
    const inSession = connection.session() !== undefined;
    connection.lasting?.hold();
    connection.resumed?.hold();
    try {
      await orAbort(this.#assertUnchanged(connection, target, capability), limit);
      const result = await connection.client.callTool(
        { name: capability.name, arguments: input, _meta: { [IDEMPOTENCY_METADATA]: idempotencyKey } },
        {
          headers: { [IDEMPOTENCY_HEADER]: idempotencyKey },
          signal: limit,
          timeout: timeoutMs + 1_000,
          allowInputRequired: true,
        },
      );
      if (isInputRequiredResult(result))
        throw new PeerError({ key: 'peerNeedsInput', values: { capability: capability.name }, retryable: false });
      if (result.isError === true) throw toolError(result, capability.name);
      return { output: outputOfTool(result), protocolVersion: connection.client.getNegotiatedProtocolVersion() ?? '' };
    } catch (error) {
      throw inSession && SdkHttpError.isInstance(error) && error.status === 404 ? new SessionOverError(error) : error;
    } finally {
      connection.resumed?.release();
      connection.lasting?.release();
    }
  }

  async close(): Promise<void> {
    const open = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.allSettled([
      ...open.map(async (connection) => {
        const { client, subscription } = await connection;
        await subscription?.close();
        await client.close();
      }),
      ...[...this.#lasting].map((process) => process.end()),
    ]);
  }

  #connect(target: PeerTarget): Promise<Connection> {
    const key = targetKey(target);
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const connecting =
      target.command === undefined
        ? this.#open(target)
        : this.#last(target, new RecordedTransport(processTransport(target.command), target.url.href));
    this.#connections.set(key, connecting);
    connecting.catch(() => {
      if (this.#connections.get(key) === connecting) this.#connections.delete(key);
    });
    return connecting;
  }

  async #open(target: PeerTarget): Promise<Connection> {
    const client = this.#client({ versionNegotiation: { mode: 'auto' } });
    const fetchPeer = fetchFor(target, this.#fetch);
    const resumed = new ResumedStreams();
    const transport = new StreamableHTTPClientTransport(target.url, {
      ...resumed.options,
      // A server that answers 405 does not offer the idle stream of older revisions.
      fetch: async (url, init) =>
        init?.method === 'GET' && !resumed.isOne(init)
          ? new Response(null, { status: 405 })
          : this.#noticeOverflow(target, await challenged(await fetchPeer(url, init)), init),
    });
    try {
      await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS, maxTotalTimeout: CONNECT_TIMEOUT_MS });
    } catch (error) {
      // A server of 2024 takes no POST at its address (2025-11-25, Backwards Compatibility). One that has no stream either gives the first error.
      if (!SdkHttpError.isInstance(error) || !NO_POST.has(error.status)) throw error;
      return await this.#last(target, streamTransport(target.url, fetchPeer)).catch(() => {
        throw error;
      });
    }
    return this.#watched(target, { client, session: () => transport.sessionId, lasting: null, resumed });
  }

  /** The SDK takes a stream that breaks off for one that can be resumed, and would wait for the rest of the call's time. */
  #noticeOverflow(target: PeerTarget, response: Response, init: RequestInit | undefined): Response {
    const key = new Headers(init?.headers).get(IDEMPOTENCY_HEADER);
    if (key === null || response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      return response;
    const watched = watchOverflow(response.body, (error) => this.#underWay.get(callName(target, key))?.endWith(error));
    return new Response(watched, { status: response.status, headers: response.headers });
  }

  /** Asked for the older revision alone: to find out about the newer one the SDK would start a second process. */
  async #last(target: PeerTarget, transport: Transport): Promise<Connection> {
    const lasting = new LastingTransport(transport);
    const client = this.#client({});
    this.#lasting.add(lasting);
    client.onclose = () => {
      this.#lasting.delete(lasting);
      lasting.retire();
      this.#forget(target, lasting);
    };
    try {
      await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS, maxTotalTimeout: CONNECT_TIMEOUT_MS });
    } catch (error) {
      await lasting.end();
      this.#lasting.delete(lasting);
      throw error;
    }
    return this.#watched(target, { client, session: () => undefined, lasting, resumed: null });
  }

  /** A server that says that its list has changed is asked for it again with the next call. */
  #watched(target: PeerTarget, made: Pick<Connection, 'client' | 'session' | 'lasting' | 'resumed'>): Connection {
    const connection: Connection = { ...made, listing: null, listedAt: 0, freshMs: LIST_FRESH_MS, subscription: null };
    const tell = this.#onToolsChanged;
    let pause: NodeJS.Timeout | undefined;
    let again = false;
    const changed = () => {
      again = pause !== undefined;
      if (tell === null || again) return;
      tell(target.url.href);
      // A server that says so without an end is checked no more often than this.
      pause = setTimeout(() => {
        pause = undefined;
        if (again) changed();
      }, TOLD_EVERY_MS).unref();
    };
    made.client.setNotificationHandler('notifications/tools/list_changed', () => {
      connection.listing = null;
      changed();
    });
    return connection;
  }

  /** A change that a server does not tell is found by the next check, or by the call. */
  async #subscribe(connection: Connection): Promise<void> {
    if (this.#onToolsChanged === null || connection.client.getServerCapabilities()?.tools?.listChanged !== true) return;
    if (connection.lasting !== null || this.#subscriptions >= MAX_SUBSCRIPTIONS) return;
    try {
      connection.subscription = await connection.client.listen({ toolsListChanged: true }, { timeout: SUBSCRIBE_TIMEOUT_MS });
    } catch (error) {
      if (
        !SdkError.isInstance(error) &&
        !SdkHttpError.isInstance(error) &&
        !ProtocolError.isInstance(error) &&
        outgoingCallErrorIn(error) === null
      )
        throw error;
      return;
    }
    this.#subscriptions += 1;
    void connection.subscription.closed.then(() => {
      this.#subscriptions -= 1;
    });
  }

  #client(options: Pick<NonNullable<ConstructorParameters<typeof Client>[1]>, 'versionNegotiation'>): Client {
    return new Client(
      { name: 'quorate', version: this.#version },
      {
        ...options,
        capabilities: {},
        inputRequired: { autoFulfill: false },
        jsonSchemaValidator: structuralValidator,
        listMaxPages: MAX_LIST_PAGES,
      },
    );
  }

  /** The process or stream has ended: the next call opens another. */
  #forget(target: PeerTarget, ended: LastingTransport): void {
    const key = targetKey(target);
    const known = this.#connections.get(key);
    known?.then(
      ({ lasting }) => {
        if (lasting === ended && this.#connections.get(key) === known) this.#connections.delete(key);
      },
      () => undefined,
    );
  }

  #list(connection: Connection): Promise<ToolList> {
    connection.listedAt = performance.now();
    connection.freshMs = LIST_FRESH_MS;
    const listing = readToolList(connection.client);
    connection.listing = listing;
    listing.then(
      ({ freshMs }) => {
        if (connection.listing === listing) connection.freshMs = freshMs;
      },
      () => {
        if (connection.listing === listing) connection.listing = null;
      },
    );
    return listing;
  }

  async #assertUnchanged(connection: Connection, target: PeerTarget, capability: { name: string; fingerprint: string }): Promise<void> {
    const fresh = performance.now() - connection.listedAt < (target.builtin ? BUILTIN_LIST_FRESH_MS : connection.freshMs);
    const listing = await (fresh && connection.listing !== null ? connection.listing : this.#list(connection));
    const now = listing.byName.get(capability.name);
    if (now === undefined) throw new PeerError({ key: 'peerToolRemoved', values: { capability: capability.name }, retryable: false });
    if (now.fingerprint !== capability.fingerprint) {
      throw new PeerError({ key: 'peerToolChanged', values: { capability: capability.name }, retryable: false });
    }
  }

  #drop(target: PeerTarget): void {
    const key = targetKey(target);
    const connection = this.#connections.get(key);
    this.#connections.delete(key);
    // Calls under way on it keep their own request, or their process; only a failed connect has nothing to close.
    connection?.then(
      ({ lasting, subscription }) => {
        lasting?.retire();
        return subscription?.close();
      },
      () => undefined,
    );
  }
}

const callName = (target: PeerTarget, idempotencyKey: string) => `${targetKey(target)} ${idempotencyKey}`;
