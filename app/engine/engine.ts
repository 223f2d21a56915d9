import type { LogSigner, Sealer } from '#app/domain/ports.ts';
import type { RunChange } from '#app/domain/runs/run-change.ts';
import type { RunRef } from '#app/domain/runs/run-queue.ts';
import type { Json } from '#app/domain/tables.ts';
import type { PeerAddress, PeerInspection } from '#app/engine/connections/peer.ts';
import type { LocalServers } from '#app/engine/connections/peer-target.ts';
import type { Db } from '#app/engine/db.ts';
import type { LegacyCalls } from '#app/engine/mcp/legacy-cancellation.ts';
import type { PolicyIssue } from '#app/engine/policy/policy-issue.ts';

/** What screens and callers may ask of the engine; everything else of it runs by itself. Made in `runtime.server.ts`. */
export type Engine = {
  /**
   * Puts a run into the queue inside the caller's transaction: it runs if, and only if, that commits. `starts`: it takes its turn
   * behind what its workspace has queued; one that goes on does not.
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
  /** Calls `onChange` whenever something of the run has changed, until the returned function is called; soon after the start, too. */
  watchRun(run: RunRef, onChange: (change: RunChange) => void): () => void;
  /** The same for what is new in a person's inbox, or waits for decisions in their workspace. */
  watchInbox(inbox: { userId: string; workspaceId: string }, onChange: () => void): () => void;
  /** The same for whether a person's session and their place in a workspace still stand. */
  watchAccess(access: { userId: string; sessionId: string; workspaceId: string }, onChange: () => void): () => void;
  /** Speaks to a peer and answers what it offers. An outgoing call: never inside a transaction. */
  inspectPeer(peer: PeerAddress): Promise<PeerInspection>;
  /** MCP servers that may run as processes of this machine. */
  localServers: LocalServers;
  /** Checks the Cedar text of a policy against our schema. Empty: it is valid. */
  validatePolicy(text: string): PolicyIssue[];
  /** What the workspace's webhooks are signed with: for its admins to give to the receiver. */
  webhookSecret(workspaceId: string): string;
  sealer: Sealer;
  /** Name and public key of the instance's log. */
  signer: Pick<LogSigner, 'name' | 'publicKey'>;
};
