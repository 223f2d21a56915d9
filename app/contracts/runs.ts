import type { Json } from '#app/contracts/json.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';

/** A part of a run's subject: words, a number, or an amount of money. Numbers are written in the language of whoever reads them. */
export type SubjectPart = string | number | { amount: number; currency: string };

/** A run's number in its workspace and its subject; null where the workflow names no subject, or none could be made. */
export type RunIdentity = { number: number; subject: SubjectPart[] | null };

/** A run as programs with a key see it. */
export type ServedRun = RunIdentity & {
  id: string;
  workflowId: string;
  workflow: string;
  status: RunStatus;
  mode: 'live' | 'test';
  input: Json;
  output: Json | null;
  /** A key of the namespace `explanations` with its values. */
  error: Json | null;
  requestKey: string | null;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
  /** The decision or form that it waits for, its own or that of a run it has called. */
  ask: RunAsk | null;
};

/** An approval to decide on, a form to fill in, or a sign-in to a connection, whose id it then is; `id` where the reader may see it. */
export type RunAsk = { what: 'approval' | 'form' | 'signIn'; id: string | null };

/**
 * A live run to be started by one statement, if nothing is in its way. `room`: as many runs of the workspace may wait; `belowQuota`: as many
 * live ones may have been started since then, null for any number; `place`: in the queue.
 */
export type PlainStart = {
  artifactId: string;
  versionId: string;
  triggerKind: string;
  input: { [name: string]: Json };
  subject: SubjectPart[] | null;
  requestKey: string | null;
  /** The name of the workflow, for the log. */
  name: string;
  room: number;
  place: number;
  belowQuota: { since: Date; below: number } | null;
};

export type PlainlyStarted = { runId: string; number: number; createdAt: Date };

/**
 * A change of a run: its present status, `journal` (a step, nothing of the run itself), `text` (what a step is writing), or `unknown` (read it).
 */
export type RunChange = RunStatus | 'journal' | 'text' | 'unknown';

/** How a run has ended, as it was written. */
export type RunEnd = { status: RunStatus; output: Json; error: Json; finishedAt: Date };

/** Which run, and in which workspace: everything a job of the queue says. What is true of a run stands in its journal. */
export type RunRef = { runId: string; workspaceId: string };
