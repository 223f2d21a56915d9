import { createHash } from 'node:crypto';
import { canonicalJson } from '#app/domain/canonical-json.ts';
import type { Json } from '#app/domain/tables.ts';
import { type WorkflowDocument, walkSteps } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';

/** What a version holds: the document, and the definition that each tool and skill it names had when it was frozen. */
export type VersionContent = WorkflowDocument & { bindings: { connection: string; capability: string; fingerprint: string }[] };

/** SHA-256 (hex) over the canonical JSON of everything that affects a run of the version. */
export function contentHash(content: VersionContent): string {
  return createHash('sha256')
    .update(canonicalJson(content as unknown as Json))
    .digest('hex');
}

async function bindingsOf(db: Db, document: WorkflowDocument): Promise<VersionContent['bindings']> {
  const named = [...walkSteps(document.steps)].flatMap(({ step }) =>
    (step.kind === 'tool' || step.kind === 'agent' || step.kind === 'model') && step.connection !== null && step.capability !== null
      ? [`${step.connection}\n${step.capability}`]
      : [],
  );
  if (named.length === 0) return [];
  const rows = await db
    .selectFrom('quorate.capabilities as c')
    .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
    .where('n.deleted_at', 'is', null)
    .select(['n.slug', 'c.name', 'c.fingerprint'])
    .execute();
  return rows
    .filter((row) => named.includes(`${row.slug}\n${row.name}`))
    .map((row) => ({ connection: row.slug, capability: row.name, fingerprint: row.fingerprint }))
    .sort((a, b) => (`${a.connection}\n${a.capability}` < `${b.connection}\n${b.capability}` ? -1 : 1));
}

/**
 * Freezes a document as a version. `publish` gives it the next number and puts it into force; otherwise it is the
 * snapshot that a test run of the draft runs on, and the same content is frozen only once.
 */
export async function freezeVersion(
  db: Db,
  version: {
    id: string;
    workspaceId: string;
    artifactId: string;
    authorId: string;
    document: WorkflowDocument;
    publish: boolean;
    now: Date;
  },
): Promise<{ id: string; number: number | null; contentHash: string }> {
  const content: VersionContent = { ...version.document, bindings: await bindingsOf(db, version.document) };
  const hash = contentHash(content);
  if (!version.publish) {
    const same = await db
      .selectFrom('quorate.versions')
      .where('artifact_id', '=', version.artifactId)
      .where('content_hash', '=', hash)
      .where('author_id', '=', version.authorId)
      .where('number', 'is', null)
      .select('id')
      .executeTakeFirst();
    if (same !== undefined) return { id: same.id, number: null, contentHash: hash };
  }
  // the row of the artifact is held so that two publications cannot take one number
  await db.selectFrom('quorate.artifacts').where('id', '=', version.artifactId).forUpdate().select('id').executeTakeFirst();
  const number = version.publish
    ? ((
        await db
          .selectFrom('quorate.versions')
          .where('artifact_id', '=', version.artifactId)
          .select((eb) => eb.fn.max('number').as('last'))
          .executeTakeFirst()
      )?.last ?? 0) + 1
    : null;
  await db
    .insertInto('quorate.versions')
    .values({
      id: version.id,
      workspace_id: version.workspaceId,
      artifact_id: version.artifactId,
      number,
      document: JSON.stringify(content),
      content_hash: hash,
      author_id: version.authorId,
    })
    .execute();
  if (version.publish) {
    await db
      .updateTable('quorate.artifacts')
      .set({ published_version_id: version.id, status: 'active', updated_at: version.now })
      .where('id', '=', version.artifactId)
      .execute();
  }
  return { id: version.id, number, contentHash: hash };
}
