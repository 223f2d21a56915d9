import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { type Attestation, isStale } from '#app/domain/audit/attestation.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import type { ControlId } from '#app/domain/audit/compliance.ts';
import { validityOn } from '#app/domain/audit/law-dates.ts';
import { CONTROL_ACTIONS } from '#app/domain/audit/pack-records.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';
import { readAttestations } from '#app/engine/compliance/read-attestations.ts';
import { readLatestAssessments, type StoredAssessment } from '#app/engine/inventory/read-assessments.ts';

const DAY_MS = 86_400_000;

/** The question that a pack answers: a law or standard, days of UTC, both included (YYYY-MM-DD), and the seed of its samples. */
export type PackQuestion = { framework: string; from: string; until: string; seed: string };

/** The bounds of a pack, read once, so that every batch of its records and each of its files have the same bounds. */
export type PackScope = {
  question: PackQuestion;
  workspace: { id: string; name: string };
  law: { name: string; citation: string; validity: ReturnType<typeof validityOn> };
  /** `attested`: the last attestation before the end of the period, and whether its time was over by then. */
  controls: { id: ControlId; provision: string; owners: string[]; attested: (Attestation & { stale: boolean }) | null }[];
  /** The last impact assessment of each agent before the end of the period. */
  assessments: StoredAssessment[];
  /** Not included. The day may not be over: nothing later than `at` is in the pack. */
  until: Date;
  from: Date;
  at: Date;
  /** Entries from this place in the log on came later than the checkpoint that the pack rests on. */
  size: number;
  actions: string[];
  /** When break-glass ran; `to` null: it still does. */
  breakGlass: { from: Date; to: Date | null }[];
};

/** Null: there is no such law or standard. `at`: now. */
export async function readPackScope(
  db: Db,
  { question, workspace, at }: Pick<PackScope, 'question' | 'workspace' | 'at'>,
): Promise<PackScope | null> {
  const { laws } = await loadLaws();
  const law = laws.find(({ id }) => id === question.framework);
  if (law === undefined) return null;
  const [from, end] = [new Date(`${question.from}T00:00:00Z`), new Date(Date.parse(`${question.until}T00:00:00Z`) + DAY_MS)];
  const until = end > at ? at : end;
  const head = await db
    .selectFrom('quorate.checkpoints')
    .select('size')
    .where('workspace_id', '=', workspace.id)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  const breakGlass = await db
    .selectFrom('quorate.break_glass')
    .select(['started_at as from', 'ended_at as to'])
    .where('workspace_id', '=', workspace.id)
    .where('started_at', '<', until)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', from)]))
    .orderBy('started_at')
    .execute();
  const owners = await readPolicyOwners(db, workspace.id);
  const attestations = await readAttestations(db, workspace.id, until);
  const controls = law.controls.map(({ control, provision }) => ({
    id: control,
    provision,
    owners: control === 'policies' ? owners : [],
    attested: attestedAt(attestations.get(control), until),
  }));
  return {
    ...{ question, workspace, from, until, at, controls, breakGlass },
    assessments: await readLatestAssessments(db, workspace.id, until),
    law: { name: law.name, citation: law.citation, validity: validityOn(law.dates, question.until) },
    size: head?.size ?? 0,
    actions: [...new Set(controls.flatMap(({ id }) => CONTROL_ACTIONS[id]))],
  };
}

const attestedAt = (attestation: Attestation | undefined, until: Date) =>
  attestation === undefined ? null : { ...attestation, stale: isStale(attestation, until) };

/** Members who own a policy in force. Other controls have no owner in a workspace; those that ship with the product have none either. */
async function readPolicyOwners(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'a.workspace_id').onRef('m.user_id', '=', 'a.owner_id'))
    .select('m.name')
    .distinct()
    .where('a.workspace_id', '=', workspaceId)
    .where('a.kind', '=', 'policy')
    .where('a.status', '=', 'active')
    .orderBy('m.name')
    .execute();
  return rows.map(({ name }) => name);
}

/**
 * The seed that is filled in: the beginning of the root of the last checkpoint before the end of the period. Nobody knows it before, and
 * everyone can read it afterwards. `until`: not included. Without a checkpoint it is zeros.
 */
export async function readDefaultSeed(db: Db, workspaceId: string, until: Date): Promise<string> {
  const row = await db
    .selectFrom('quorate.checkpoints')
    .select('root')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`signed_at < ${until}`)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? '0'.repeat(16) : hex(row.root).slice(0, 16);
}
