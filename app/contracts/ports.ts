import type { Json } from '#app/contracts/json.ts';
import type { ModelProvider, TokenUsage } from '#app/contracts/models.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';

/** The engine's needs, as ports: `platform` implements them, `runtime.server.ts` hands them over, tests make their own. */
export type Clock = { now(): Date };
/** UUIDv7, so that ids sort by time. */
export type NewId = () => string;

export type LogFields = { [key: string]: string | number | boolean | null | undefined };
/** One JSON object a line; messages are ours, never a peer's; no payloads, tokens or addresses of people. */
export type Log = {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `error` may be whatever was caught; the other fields are LogFields. */
  error(message: string, fields?: { error?: unknown; [key: string]: unknown }): void;
};

export type Mail = { to: string; subject: string; text: string; html?: string };
export type Mailer = { send(mail: Mail): Promise<void> };

/**
 * Guarded fetch: no private address unless both the operator and the workspace that calls allow it, no redirect followed blindly, caps on
 * time and size. A call that names no workspace's list reaches nothing private.
 */
export type GuardedFetch = (input: RequestInfo | URL, init?: GuardedInit) => Promise<Response>;
/** `longStream`: an event stream that comes in many small pieces, whose bytes nobody keeps. `maxBytes`: fewer than usual. */
export type GuardedInit = RequestInit & { privateNetwork?: WorkspaceNetwork; longStream?: boolean; maxBytes?: number };

/** Seals secrets with AES-256-GCM; `context` is bound in (table, row id), so that two rows' secrets cannot be swapped. */
export type Sealer = { seal(plain: string, context: string): Uint8Array; open(sealed: Uint8Array, context: string): string };

/** Addresses at which events of a run come in. Who knows one may send one event to that step of that run. */
export type Callbacks = {
  addressOf(runId: string, stepId: string): string;
  isSigned(runId: string, stepId: string, signature: string): boolean;
};

/** An Ed25519 key of the instance's log. */
export type LogKeyPair = { publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array };
/**
 * The key that signs the instance's log, derived from QUORATE_SECRET_KEY. `name` goes into checkpoints. `older`: the keys before it, the first
 * one first; `successions`: how each follows the one before, signed by both.
 */
export type LogSigner = LogKeyPair & { name: string; older: readonly LogKeyPair[]; successions: readonly string[] };

/**
 * The last head that this instance signed of a workspace's log, kept outside the database. `head` is null where it cannot be read or was
 * not signed by this instance. `accepted`: a person said that another log continues from here.
 */
export type LogMark = { head: { size: number; root: Uint8Array } | null; accepted: boolean };
export type LogMarks = {
  /** Null: nothing was signed yet. */
  read(workspaceId: string): Promise<LogMark | null>;
  /** A newer head, as a signed note. */
  advance(workspaceId: string, note: string): void;
  /** In place of a mark that was accepted to be left behind. */
  replace(workspaceId: string, note: string): Promise<void>;
};

/** One request to a language model. `fetch` is the guarded one; `credential` is opened for this call alone. */
export type ModelRequest = {
  provider: ModelProvider;
  baseUrl: string;
  credential: string | null;
  model: string;
  system: string;
  prompt: string;
  /** A conversation in place of the prompt, as the SDK writes its messages. */
  messages?: readonly Json[];
  /** The tools that the model may ask for. Nothing is called here: the answer lists the requests. */
  tools?: readonly ModelTool[];
  /** Null: the provider's own. */
  maxTokens: number | null;
  /** Null: the provider's own. */
  temperature: number | null;
  /** JSON Schema that the answer must fit, or null for plain text. */
  schema: { [key: string]: unknown } | null;
  idempotencyKey: string;
  fetch: GuardedFetch;
  signal: AbortSignal;
  /** Takes the text piece by piece while it is written. */
  onText?: (piece: string) => void;
};
export type ModelTool = { name: string; description: string; inputSchema: { [key: string]: unknown } };
/** `input` null: what the model wrote is no input, or there is no tool of that name. */
export type ModelToolCall = { id: string; name: string; input: { [key: string]: Json } | null };
export type ModelAnswer = {
  text: string;
  json: unknown;
  finishReason: string;
  usage: TokenUsage;
  toolCalls?: ModelToolCall[];
  /** The answer as a message of the conversation. */
  message?: Json;
};

type ModelFault =
  | { kind: 'status'; status: number; retryAfterSeconds: number | null; message: string }
  | { kind: 'garbage' }
  | { kind: 'noFit' };

/** Why a provider gave no answer: an HTTP status, an answer that is none, or one that does not fit the schema. */
export class ModelCallError extends Error {
  readonly fault: ModelFault;
  /** The usage that the provider counted although the call failed. */
  readonly usage: TokenUsage | null;
  constructor(fault: ModelFault, options: { cause?: unknown; usage?: TokenUsage | null } = {}) {
    super(`model call: ${fault.kind}`, options);
    this.name = 'ModelCallError';
    this.fault = fault;
    this.usage = options.usage ?? null;
  }
}

/** Calls language models. Throws ModelCallError, or whatever the fetch threw. */
export type ModelPort = { generate(request: ModelRequest): Promise<ModelAnswer> };

/**
 * Asks whether a file may be accepted, before anything reads it. `unavailable`: nobody could say, so it may not. Never throws.
 */
export type ScanFile = (
  file: { name: string; size: number; sha256: string },
  content: Uint8Array,
  signal: AbortSignal,
) => Promise<'clean' | 'refused' | 'unavailable'>;

/** `name` is a path such as `avatars/<owner>/<id>`; a name is written once and never again. */
export type StoredFile = { name: string; ownerId: string; mediaType: string; content: Uint8Array };

/**
 * Files of people: Supabase Storage where there is one, the database otherwise. It asks nobody who may: that is decided before. Throws when
 * the store cannot be reached.
 */
export type FileStore = {
  put(file: StoredFile): Promise<void>;
  /** Null: there is no such file. */
  get(name: string): Promise<Pick<StoredFile, 'mediaType' | 'content'> | null>;
  /** Unknown names are ignored. */
  remove(names: readonly string[]): Promise<void>;
  /** Names below a folder, ascending: at most `limit` (100) from `offset` (0). */
  list(folder: string, page?: { limit?: number; offset?: number }): Promise<string[]>;
};
