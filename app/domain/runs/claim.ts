import type { Json } from '#app/contracts/json.ts';
import type { RunTrial } from '#app/contracts/run-trial.ts';
import type { JournalApproval, JournalStep, LoopState } from '#app/domain/runs/run-state.ts';

export type ClaimedRun = {
  state: 'claimed';
  attempt: number;
  versionId: string;
  artifactId: string;
  artifactName: string;
  mode: 'live' | 'test';
  input: { [name: string]: Json };
  initiatorId: string;
  initiatorRoles: string[];
  /** How the first of the runs that called one another was started. */
  triggerKind?: string;
  versionAuthorId: string;
  createdAt: string;
  /** Of a test run of one step or a dry run; null or absent: it is neither. */
  trial?: RunTrial | null;
  cancelled: boolean;
  /** Milliseconds that the run has waited until now. */
  waitingMs: number;
  revision: number;
  /** Steps so far that chose something to call, and their cost: also the items of loops that have ended. */
  calls: number;
  costMicros: number;
  /** Without the items of loops that have ended, and what is inside those. */
  steps: JournalStep[];
  loops: LoopState[];
  approvals: JournalApproval[];
};

/** `full`: the run waits for a free place under a limit of its workspace or its workflow. */
export type Claim = ClaimedRun | { state: 'done' | 'busy' | 'halted' | 'full' };

/** `limited`: the end of this drive frees a place; `granted`: runs that got a place and that nobody has queued yet. */
export type ClaimAnswer = { claim: Claim; limited: boolean; granted: string[] };
