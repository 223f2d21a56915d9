import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { examplesSchema } from '#app/domain/audit/policy-example.ts';
import type { PolicySource } from '#app/engine/policy/compile-policies.ts';

export const POLICY_FORMAT = 'quorate.policy/1';
/** The content of a version of a policy. A policy without examples has none, as the older ones. */
export const policyDocumentSchema = z.object({
  format: z.literal(POLICY_FORMAT),
  text: z.string(),
  examples: examplesSchema.min(1).optional(),
});
export type PolicyDocument = z.infer<typeof policyDocumentSchema>;

/** The policies in force in the principal's workspace: of every active policy, its published version. */
export async function loadPolicySources(db: Db): Promise<PolicySource[]> {
  const rows = await db
    .selectFrom('quorate.artifacts as a')
    .leftJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .select(['a.id', 'a.name', 'v.number', 'v.document'])
    .where('a.kind', '=', 'policy')
    .where('a.status', '=', 'active')
    .where('a.deleted_at', 'is', null)
    .orderBy('a.id')
    .execute();
  return rows.map((row) => toPolicySource({ id: row.id, name: row.name, version: row.number, document: row.document }));
}

/** An active policy from its rows; an unreadable document refuses every call. */
export function toPolicySource(row: { id: string; name: string; version: number | null; document: unknown }): PolicySource {
  const document = policyDocumentSchema.safeParse(row.document);
  return { policyId: row.id, policyName: row.name, version: row.version ?? 0, text: document.success ? document.data.text : null };
}
