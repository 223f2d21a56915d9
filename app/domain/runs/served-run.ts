import type { RunStatus } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';

/** A run as programs with a key see it. */
export type ServedRun = {
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
  /** Whether it waits for a person to decide. */
  asks: boolean;
  /** The pending approval that it waits for, where the caller may see approvals. */
  approvalId: string | null;
};

/**
 * A live run to be started by one statement, if nothing is in its way. `room`: as many runs of the workspace may wait; `belowQuota`: as many
 * live ones may have been started since then, null for any number; `place`: in the queue.
 */
export type PlainStart = {
  artifactId: string;
  versionId: string;
  triggerKind: string;
  input: { [name: string]: Json };
  requestKey: string | null;
  /** Of the workflow, for the log. */
  name: string;
  room: number;
  place: number;
  belowQuota: { since: Date; below: number } | null;
};
