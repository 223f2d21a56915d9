import type { Json } from '#app/contracts/json.ts';
import type { TokenUsage } from '#app/contracts/models.ts';
import type { PeerAddress } from '#app/contracts/peer.ts';
import type { SignInChallenge } from '#app/contracts/sign-ins.ts';
import type { Frame } from '#app/engine/connections/frames.ts';

/**
 * Why a call to a peer failed, as a key of the namespace `explanations` with its values. `retryable` says whether the same
 * call may go through later, `retryAfterSeconds` when at the earliest, `usage` what a model counted although it failed.
 */
export type PeerFailure = {
  key: string;
  values: Record<string, string | number>;
  retryable: boolean;
  /** `no`: the peer got nothing of the call, or refused it for load; `unknown`: it may have taken effect. Absent: the peer answered that it failed. */
  happened?: 'no' | 'unknown';
  retryAfterSeconds?: number;
  usage?: TokenUsage;
  /** Of a call that was refused for its sign-in: where to sign in, and how far it would have to reach. */
  challenge?: SignInChallenge;
};

export class PeerError extends Error {
  readonly failure: PeerFailure;
  constructor(failure: PeerFailure, options: { cause?: unknown } = {}) {
    super(failure.key, options);
    this.name = 'PeerError';
    this.failure = failure;
  }
}

/** The PeerError in a chain of causes, or null: client libraries wrap what their fetch throws. */
export function peerErrorIn(error: unknown): PeerError | null {
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof PeerError) return current;
    current = current.cause;
  }
  return null;
}

/** Calls one tool or skill. Returns its output, or throws a PeerError. `idempotencyKey` reaches the peer with every attempt. */
export type CallPeer = (call: {
  peer: PeerAddress;
  capability: { name: string; fingerprint: string };
  input: { [key: string]: Json };
  idempotencyKey: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Takes what goes over the wire, where someone wants to see it. */
  frames?: Frame[];
  /** Takes the text of the answer piece by piece while it is written, where the peer sends it so. */
  onText?: (piece: string) => void;
}) => Promise<{ output: Json; protocolVersion: string; usage?: TokenUsage }>;
