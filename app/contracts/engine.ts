import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { LocalServers, PeerAddress, PeerInspection } from '#app/contracts/peer.ts';
import type { Callbacks, LogSigner, Sealer } from '#app/contracts/ports.ts';
import type { RegistryReading } from '#app/contracts/registry.ts';
import type { RunChange, RunEnd, RunRef } from '#app/contracts/runs.ts';
import type { SignIns } from '#app/contracts/sign-ins.ts';

/** The engine's interface for screens and callers; everything else of it runs in the background. Made in `runtime.server.ts`. */
export type Engine = {
  /**
   * Puts a run into the queue inside the caller's transaction: it runs if, and only if, that commits. `starts`: it takes its turn behind
   * what its workspace has queued; one that continues does not.
   */
  enqueueRun(db: Db, run: { id: string; workspaceId: string }, options?: { starts?: boolean }): Promise<void>;
  /**
   * Refuses a start where too many runs wait already, of the workspace with these settings or of all. Throws AppError `over_limit` or
   * `unavailable` with `seconds`: the wait until there should be room.
   */
  admitRun(db: Db, workspaceId: string, settings: Json): Promise<void>;
  /**
   * Reserves a place in the queue for a run started by one statement. `room`: the start goes the long way if this many runs of the workspace
   * wait already. Null: too many wait on the instance.
   */
  openStart(workspaceId: string, settings: Json): Promise<{ place: number; room: number } | null>;
  /** True once this process is ending: connections close that nobody meant to close. */
  isEnding(): boolean;
  /** Calls of older MCP clients, which cancel by a notification that may come to another process. */
  legacyCalls: Pick<LegacyCalls, 'open' | 'cancel'>;
  /**
   * Calls `onChange` whenever something of the run has changed, until the returned function is called; soon after the start, too. `end`: of a
   * run that this process drives, where it is known without reading it. `onText`: more has come of a text that a step is writing.
   */
  watchRun(run: RunRef, onChange: (change: RunChange, end?: RunEnd) => void, onText?: () => void): () => void;
  /** Asks whoever drives the run for the texts that its steps are writing, for the next minute. */
  askPartialTexts(run: RunRef): Promise<void>;
  /** The same for news in a person's inbox, or for decisions that wait in their workspace. */
  watchInbox(inbox: { userId: string; workspaceId: string }, onChange: () => void): () => void;
  /** The same for everything that a dashboard shows of a workspace; `mark` is another one after each change. */
  watchDesk(desk: { workspaceId: string }, onChange: (mark: string) => void): () => void;
  /** The same for the list of tools that a gateway serves. */
  watchGateway(gateway: { id: string }, onChange: (mark: string) => void): () => void;
  /** The same for whether a person's session and membership still hold. */
  watchAccess(access: { userId: string; sessionId: string; workspaceId: string }, onChange: () => void): () => void;
  /** Asks a peer for its capabilities. An outgoing call: never inside a transaction. */
  inspectPeer(peer: PeerAddress): Promise<PeerInspection>;
  /** Asks a registry for the servers that it names. An outgoing call: never inside a transaction. */
  readRegistry(registry: { address: string; privateNetwork: WorkspaceNetwork }): Promise<RegistryReading>;
  /** MCP servers that may run as processes of this machine. */
  localServers: LocalServers;
  /** Checks the Cedar text of a policy against our schema. Empty: it is valid. */
  /** `tools`: input schemas of the approved tools, by `connection/tool`. */
  validatePolicy(text: string, tools: ReadonlyMap<string, Json | null>): PolicyIssue[];
  /** The secret of the workspace's webhooks, for its admins to give to the receiver. */
  webhookSecret(workspaceId: string): string;
  /** A note by which the log's key signs the digest (SHA-256, hex) of an evidence pack of this workspace. It signs nothing else for a screen. */
  signPack(workspaceId: string, digest: string): string;
  sealer: Sealer;
  /** Signs connections in by OAuth. */
  signIns: SignIns;
  callbacks: Callbacks;
  /** Name and public key of the instance's log. */
  signer: Pick<LogSigner, 'name' | 'publicKey' | 'successions'>;
};

/** A fault in a policy's text; `line` and `column` count from 1 where Cedar names the place. */
export type PolicyIssue = { message: string; line?: number; column?: number };

/** The calls of older clients that this process serves. */
export type LegacyCalls = {
  /** A signal that is aborted when the client cancels this call, at whichever process; `end` forgets the call. Null without a session: nothing can. */
  open(request: Request, keyId: string, id: string | number): { signal: AbortSignal; end(): void } | null;
  /** Aborts the call that this request cancels, where it is such a notification; `body` is the request's. */
  cancel(request: Request, keyId: string, body: unknown): void;
  stop(): Promise<void>;
};
