import { type DiffLine, diffLines } from '#app/components/value/diff-lines.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { inOrderOf } from '#app/domain/connections/in-order.ts';
import { effectOf, type ToolEffect } from '#app/domain/connections/tool-findings.ts';
import { approvedOf, type ControlSubject } from '#app/domain/control/control-subject.ts';

export type ApprovedTool = {
  id: string;
  name: string;
  description: string;
  effect: ToolEffect;
  /** Of the definition that the change is about. */
  fingerprint: string;
  /** The definition beside the one that was approved before. Null once the change is decided or the peer has changed the tool: what is kept is no longer what is agreed to. */
  text: DiffLine[] | null;
};

/** The tools, skills and models that a change approves, with what is invisible in them spelled out; empty for a change of another kind. */
export async function loadTools(db: Db, { after, resource }: ControlSubject, isPending: boolean): Promise<ApprovedTool[]> {
  const approved = approvedOf(after);
  if (approved === null) return [];
  const rows = await db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', resource)
    .where('id', 'in', Object.keys(approved))
    .orderBy('name')
    .orderBy('id')
    .select(['id', 'kind', 'name', 'description', 'fingerprint', 'definition', 'approved_definition'])
    .execute();
  return rows.map((row) => {
    const fingerprint = approved[row.id] ?? '';
    const isSame = isPending && row.fingerprint === fingerprint;
    return {
      id: row.id,
      name: revealedText(row.name),
      description: revealedText(row.description),
      effect: effectOf(row.kind, row.definition),
      fingerprint,
      text: isSame ? diffLines(linesOf(inOrderOf(row.approved_definition, row.definition)), linesOf(row.definition)) : null,
    };
  });
}

const linesOf = (definition: Json | null) => (definition === null ? '' : revealedText(JSON.stringify(definition, null, 2)));
