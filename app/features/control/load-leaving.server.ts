import type { ShownExport } from '#app/components/data/export-facts.tsx';
import { shownExport } from '#app/components/data/shown-export.ts';
import type { Db } from '#app/contracts/db.ts';
import { type ControlSubject, exportOf } from '#app/domain/control/control-subject.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { frameworkName } from '#app/engine/compliance/framework-name.ts';

/** `until`: ISO 8601; `taken`: the files that have left. */
export type Leaving = { asked: ShownExport; permission: { until: string; taken: string[] } | null };

/** Evidence that a change lets out, and what of it has left; null for a change of another kind. */
export async function loadLeaving(db: Db, change: string, { after }: ControlSubject, language: Language): Promise<Leaving | null> {
  const asked = exportOf(after);
  if (asked === null) return null;
  const framework = asked.kind === 'pack' ? await frameworkName(asked.framework, language) : null;
  const grant = await db
    .selectFrom('quorate.evidence_grants')
    .select(['ends_at', 'taken'])
    .where('change_id', '=', change)
    .executeTakeFirst();
  const permission = grant === undefined ? null : { until: grant.ends_at.toISOString(), taken: grant.taken };
  return { asked: shownExport(asked, framework), permission };
}
