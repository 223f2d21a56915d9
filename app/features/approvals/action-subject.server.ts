import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import type { ActionSubject } from '#app/domain/audit/action-digest.ts';
import { releaseSubjectSchema } from '#app/domain/audit/release-subject.ts';
import { actionDigest, digestOf } from '#app/engine/runs/steps/digest.ts';

const named = z.object({ id: z.string(), name: z.string(), kind: z.string() });
/** The known facts about a call whose outcome a person is asked for. */
export const outcomeSchema = z.object({
  attempt: z.number(),
  error: z.object({ key: z.string(), values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) }),
  idempotencyKey: z.string(),
});
const subjectSchema = z.object({
  workspaceId: z.string(),
  runId: z.string(),
  stepPath: z.string(),
  connection: named.extend({ slug: z.string() }).nullable(),
  capability: named.extend({ fingerprint: z.string() }).nullable(),
  input: z.record(z.string(), z.json()),
  policyVersion: z.string(),
  outcome: outcomeSchema.optional(),
});

/**
 * Whether what a person is shown is what the digest binds. False too for anything that cannot be read: who cannot be shown the
 * action cannot approve it.
 */
export function isActionAsDigested(subject: Json, digest: string): boolean {
  const release = releaseSubjectSchema.safeParse(subject);
  if (release.success) return digestOf(release.data) === digest;
  const read = subjectSchema.safeParse(subject);
  return read.success && actionDigest(read.data as ActionSubject) === digest;
}
