import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';
import type { AgentDocument } from '#app/domain/workflows/agent.ts';
import { type WorkflowDocument, type WorkflowDraft, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/** Makes a workflow or an agent with its first draft, inside the caller's change. */
export async function createArtifact(
  db: Db,
  artifact: { id: string; workspaceId: string; ownerId: string; name: string; description: string; tags?: string[] } & (
    | { kind: 'workflow'; document: WorkflowDocument }
    | { kind: 'agent'; document: AgentDocument }
  ),
): Promise<void> {
  await db
    .insertInto('quorate.artifacts')
    .values({
      id: artifact.id,
      workspace_id: artifact.workspaceId,
      kind: artifact.kind,
      name: artifact.name,
      description: artifact.description,
      ...(artifact.tags === undefined ? {} : { tags: artifact.tags }),
      owner_id: artifact.ownerId,
      draft_revision: 1,
    })
    .execute();
  await db
    .insertInto('quorate.drafts')
    .values({
      workspace_id: artifact.workspaceId,
      artifact_id: artifact.id,
      revision: 1,
      document: JSON.stringify(artifact.document),
      author_id: artifact.ownerId,
    })
    .execute();
}

const LONGEST_COPIED = 110;

/** The name of a copy: the original's with the first free number. Under a lock, so that no two copies get the same one. */
export async function nameOfCopy(db: Db, kind: 'workflow' | 'agent', name: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended('copy:' || quorate.current_workspace_id(), 0))`.execute(db);
  const base = name.replace(/ \(\d{1,6}\)$/, '').slice(0, LONGEST_COPIED);
  const rows = await db
    .selectFrom('quorate.artifacts')
    .select('name')
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`starts_with(name, ${`${base} (`})`)
    .execute();
  const taken = new Set(rows.map((row) => row.name));
  let number = 2;
  while (taken.has(`${base} (${number})`)) number += 1;
  return `${base} (${number})`;
}

/** One artifact of this kind beside its draft as it stands. */
export function draftOf(db: Db, kind: 'workflow' | 'agent', id: string) {
  return db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.drafts as d', (join) => join.onRef('d.artifact_id', '=', 'a.id').onRef('d.revision', '=', 'a.draft_revision'))
    .where('a.id', '=', id)
    .where('a.kind', '=', kind)
    .where('a.deleted_at', 'is', null)
    .select(['a.id', 'a.name', 'a.description', 'a.owner_id', 'a.published_version_id', 'd.revision', 'd.document']);
}

/** A workflow with its draft as it stands. @throws AppError not_found */
export async function loadDraft(db: Db, artifactId: string): Promise<WorkflowDraft> {
  const row = await draftOf(db, 'workflow', artifactId)
    .select([
      'a.runs_at_once',
      sql<boolean>`exists (select from quorate.drafts o where o.artifact_id = a.id and o.revision < a.draft_revision)`.as('can_undo'),
      sql<boolean>`exists (select from quorate.drafts o where o.artifact_id = a.id and o.revision > a.draft_revision)`.as('can_redo'),
    ])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    ownerId: row.owner_id,
    publishedVersionId: row.published_version_id,
    revision: row.revision,
    canUndo: row.can_undo,
    canRedo: row.can_redo,
    document: workflowDocumentSchema.parse(row.document),
    runsAtOnce: row.runs_at_once,
  };
}

/**
 * Saves the next state of a draft over the one that the editor had seen, with what `about` says of the artifact itself. Saving after an
 * undo drops what came later.
 * @throws AppError conflict when someone saved meanwhile: nothing is overwritten
 */
export async function saveDraft(
  db: Db,
  draft: {
    artifactId: string;
    expectedRevision: number;
    document: WorkflowDocument | AgentDocument;
    authorId: string;
    now: Date;
    about?: { name: string; description: string; tags?: string[]; runs_at_once?: number | null };
  },
): Promise<void> {
  const next = draft.expectedRevision + 1;
  const moved = await db
    .updateTable('quorate.artifacts')
    .set({ ...draft.about, draft_revision: next, updated_at: draft.now })
    .where('id', '=', draft.artifactId)
    .where('draft_revision', '=', draft.expectedRevision)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new AppError('conflict');
  await db.deleteFrom('quorate.drafts').where('artifact_id', '=', draft.artifactId).where('revision', '>=', next).execute();
  await db
    .insertInto('quorate.drafts')
    .values((eb) => ({
      workspace_id: eb.selectFrom('quorate.artifacts').select('workspace_id').where('id', '=', draft.artifactId),
      artifact_id: draft.artifactId,
      revision: next,
      document: JSON.stringify(draft.document),
      author_id: draft.authorId,
    }))
    .execute();
}

/** Moves one saved state back or forward. @throws AppError conflict when there is none, or someone saved meanwhile */
export async function stepDraft(
  db: Db,
  draft: { artifactId: string; expectedRevision: number; direction: 'undo' | 'redo'; now: Date },
): Promise<number> {
  const target = await db
    .selectFrom('quorate.drafts')
    .where('artifact_id', '=', draft.artifactId)
    .where('revision', draft.direction === 'undo' ? '<' : '>', draft.expectedRevision)
    .orderBy('revision', draft.direction === 'undo' ? 'desc' : 'asc')
    .select('revision')
    .executeTakeFirst();
  if (target === undefined) throw new AppError('conflict');
  const moved = await db
    .updateTable('quorate.artifacts')
    .set({ draft_revision: target.revision, updated_at: draft.now })
    .where('id', '=', draft.artifactId)
    .where('draft_revision', '=', draft.expectedRevision)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new AppError('conflict');
  return target.revision;
}
