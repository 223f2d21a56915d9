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
