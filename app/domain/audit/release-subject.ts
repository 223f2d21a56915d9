import { z } from 'zod';

/**
 * The subject of a release's approval: this one halt (its moment, who called it and why) and why it may end. All of it is covered by the
 * digest, the SHA-256 over its RFC 8785 form. Times are ISO 8601 in milliseconds.
 */
export const releaseSubjectSchema = z.strictObject({
  kind: z.literal('release'),
  workspaceId: z.string(),
  haltedAt: z.string(),
  haltedBy: z.string().nullable(),
  haltReason: z.string().nullable(),
  reason: z.string(),
});
export type ReleaseSubject = z.infer<typeof releaseSubjectSchema>;
