import type { Selectable } from 'kysely';
import type { Json } from '#app/contracts/json.ts';
import type { DecisionsTable, StepsTable } from '#app/contracts/tables.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { appendLeaves, leafHash, lookupIn } from '#app/domain/audit/merkle.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';

/** Rows as the query layer answers them. `position`, `run_id`, `workspace_id`, `next_attempt_at`, usage, frames, `agent_id` (which the input names) and places in loops (which the path names) have no part in the journal (what a model used stands in its output). */
export type JournalStep = Omit<
  Selectable<StepsTable>,
  | 'position'
  | 'run_id'
  | 'workspace_id'
  | 'next_attempt_at'
  | 'tokens_in'
  | 'tokens_out'
  | 'cost_micros'
  | 'frames'
  | 'agent_id'
  | 'item_of'
  | 'item_index'
  | 'within'
>;
export type JournalDecision = Omit<Selectable<DecisionsTable>, 'run_id' | 'workspace_id'>;

/** One leaf of a run's journal: its name, the hashed record, and the contents whose digests it holds. */
export type JournalRecord = { name: string; record: { [key: string]: Json }; contents: { input?: Json; output?: Json } };

/** Above this a run's records are bound by the root alone: named one by one, those of a loop of 10,000 items would be 3 MB of its last event. */
const MOST_NAMED = 1_000;

/**
 * For the payload of the event that closes a run. `records`: name and leaf hash of each, so that a changed or missing row can be named; empty
 * where there are more than `MOST_NAMED`.
 */
export type JournalEntry = { journal: string; steps: number; decisions: number; records: [name: string, hash: string][] };

/**
 * The digest of a run's journal: `journal` is the Merkle root (RFC 9162, 64 hex digits) over its records, for runs.journal_hash; the whole
 * answer goes into the payload of the event that closes the run. Call it with all rows of the run, read in the closing transaction; none
 * may change afterwards. The order of the arguments' rows does not matter.
 *
 * Leaves: the steps by path, then the decisions by id (both by UTF-16 code units), named `step:<path>` and `decision:<id>`. Each is the
 * canonical JSON of
 * - step: `{ v: 1, record: 'step', path, step, kind, name, status, attempt, runAttempt, idempotencyKey, protocol, connection, capability,
 * fingerprint, candidates, reason, error, input, output, decision, approval, startedAt, finishedAt }`
 * - decision: `{ v: 1, record: 'decision', id, step, attempt, action, verdict, rules, reason, context, actionDigest, policyVersion,
 * decidedAt }` `input` and `output` are hex SHA-256 over the canonical JSON of the contents, or null: a payload can be erased later and the
 * record still proves. The row's own input_digest and output_digest count where they are set, and must be just that. Times are UTC in ISO
 * 8601 with milliseconds.
 */
export function journalEntry(steps: readonly JournalStep[], decisions: readonly JournalDecision[]): JournalEntry {
  const records = journalRecords(steps, decisions);
  const hashes = leaves(records);
  return {
    journal: hex(appendLeaves(sha256, 0, lookupIn(new Map()), hashes).root),
    steps: steps.length,
    decisions: decisions.length,
    records: records.length > MOST_NAMED ? [] : records.map(({ name }, index) => [name, hex(hashes[index] ?? new Uint8Array())]),
  };
}

/** The root alone: `journalEntry(…).journal`. */
export function journalHash(steps: readonly JournalStep[], decisions: readonly JournalDecision[]): string {
  return journalEntry(steps, decisions).journal;
}

/** The records in the order of the tree. */
export function journalRecords(steps: readonly JournalStep[], decisions: readonly JournalDecision[]): JournalRecord[] {
  return [
    ...steps.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(stepRecord),
    ...decisions
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((row) => ({ name: `decision:${row.id}`, record: decisionRecord(row), contents: {} })),
  ];
}

function leaves(records: readonly JournalRecord[]): Uint8Array[] {
  return records.map(({ record }) => leafHash(sha256, new TextEncoder().encode(canonicalJson(record))));
}

function stepRecord(row: JournalStep): JournalRecord {
  return {
    name: `step:${row.path}`,
    record: {
      v: 1,
      record: 'step',
      path: row.path,
      step: row.step_id,
      kind: row.kind,
      name: row.name,
      status: row.status,
      attempt: row.attempt,
      runAttempt: row.run_attempt,
      idempotencyKey: row.idempotency_key,
      protocol: row.protocol,
      connection: row.connection_id,
      capability: row.capability_id,
      fingerprint: row.capability_fingerprint,
      candidates: row.candidates,
      reason: row.reason,
      error: row.error,
      input: row.input_digest ?? contentDigest(row.input),
      output: row.output_digest ?? contentDigest(row.output),
      decision: row.decision_id,
      approval: row.approval_id,
      startedAt: row.started_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
    },
    contents: { ...(row.input === null ? {} : { input: row.input }), ...(row.output === null ? {} : { output: row.output }) },
  };
}

function decisionRecord(row: JournalDecision): { [key: string]: Json } {
  return {
    v: 1,
    record: 'decision',
    id: row.id,
    step: row.step_path,
    attempt: row.attempt,
    action: row.action,
    verdict: row.verdict,
    rules: row.rules,
    reason: row.reason,
    context: row.context,
    actionDigest: row.action_digest,
    policyVersion: row.policy_version,
    decidedAt: row.decided_at.toISOString(),
  };
}

/** Hex SHA-256 over canonical JSON; null for nothing, and for the JSON null, which the row cannot tell from it. */
function contentDigest(content: Json): string | null {
  return content === null ? null : hex(sha256(new TextEncoder().encode(canonicalJson(content))));
}
