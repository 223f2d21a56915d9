import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';

/** Exactly what a step will do. An approval shows it field by field and binds its digest. */
export type ActionSubject = {
  workspaceId: string;
  runId: string;
  stepPath: string;
  connection: { id: string; name: string; slug: string; kind: string } | null;
  capability: { id: string; name: string; kind: string; fingerprint: string } | null;
  input: { [key: string]: Json };
  policyVersion: string;
  /** Where a person is asked what became of a call that was made: which attempt, and what is known of it. */
  outcome?: { attempt: number; error: { key: string; values: { [name: string]: Json } }; idempotencyKey: string };
};

/**
 * The text whose SHA-256 is the digest of an action: RFC 8785 over workspace, run, step, connection, fingerprint of the
 * capability, input and policy version, and where the question is what became of it, what is known. Names are shown but not covered: renaming a connection changes nothing that is done.
 */
export function actionText(subject: ActionSubject): string {
  return canonicalJson({
    workspace: subject.workspaceId,
    run: subject.runId,
    step: subject.stepPath,
    connection: subject.connection?.id ?? null,
    fingerprint: subject.capability?.fingerprint ?? null,
    input: subject.input,
    policyVersion: subject.policyVersion,
    // an answer about a call that was made never releases one
    ...(subject.outcome === undefined ? {} : { outcome: subject.outcome }),
  });
}
