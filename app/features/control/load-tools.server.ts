import { type DiffLine, diffLines } from '#app/components/value/diff-lines.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { effectOf, type ToolEffect } from '#app/domain/connections/tool-findings.ts';
import { approvedOf, type ControlSubject } from '#app/domain/control/control-subject.ts';

/** A tool, skill or model that a change approves, beside its definition that was approved before. */
export type ApprovedTool = { id: string; name: string; description: string; effect: ToolEffect; asAsked: boolean; text: DiffLine[] };

/**
 * The tools, skills and models that a change approves, or an empty list for a change of another kind. `asAsked`: the definition is still the
 * one that the change was requested for.
 */
export async function loadTools(db: Db, { after, resource }: ControlSubject): Promise<ApprovedTool[]> {
  const approved = approvedOf(after);
  if (approved === null) return [];
  const rows = await db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', resource)
    .where('id', 'in', Object.keys(approved))
    .orderBy('name')
    .orderBy('id')
    .select(['id', 'kind', 'name', 'description', 'fingerprint', 'definition', 'approved_definition', 'approved_fingerprint'])
    .execute();
  return rows.map((row) => {
    const before = row.approved_fingerprint === row.fingerprint ? null : row.approved_definition;
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      effect: effectOf(row.kind, row.definition),
      asAsked: row.fingerprint === approved[row.id],
      text: diffLines(pretty(before), pretty(row.definition)),
    };
  });
}

const pretty = (definition: Json | null) => (definition === null ? '' : JSON.stringify(definition, null, 2));
