import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { type FrozenAgent, versionDocumentSchema } from '#app/domain/workflows/agent.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { authoredAgentOf } from '#app/domain/workflows/steps/agent-step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/**
 * The content of a version: the document, the agents of the workspace that it uses, and the definition of each tool, skill and model at
 * that time.
 */
export type VersionContent = WorkflowDocument & {
  agents: Record<string, FrozenAgent>;
  bindings: { connection: string; capability: string; fingerprint: string }[];
};

/** SHA-256 (hex) over the canonical JSON of everything that affects a run of the version. */
export function contentHash(content: VersionContent): string {
  return createHash('sha256')
    .update(canonicalJson(content as unknown as Json))
    .digest('hex');
}

/** The agents of the workspace that steps use, each as its version in force has it. One without is left out: its step then says so. */
export async function agentsOf(db: Db, document: WorkflowDocument, own: VersionContent['agents']): Promise<VersionContent['agents']> {
  const ids = [...walkSteps(document.steps)].flatMap(({ step }) => {
    const id = authoredAgentOf(step);
    return id !== null && own[id] === undefined ? [id] : [];
  });
  const wanted = ids.filter((id) => z.uuid().safeParse(id).success);
  if (wanted.length === 0) return own;
  const rows = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.id', 'in', wanted)
    .where('a.kind', '=', 'agent')
    .where('a.deleted_at', 'is', null)
    .orderBy('a.id')
    .select(['a.id', 'v.document'])
    .execute();
  return {
    ...own,
    ...Object.fromEntries(
      rows.flatMap(({ id, document: stored }) => {
        const agent = versionDocumentSchema.parse(stored).agents[id];
        return agent === undefined ? [] : [[id, agent]];
      }),
    ),
  };
}

async function bindingsOf(db: Db, document: WorkflowDocument, agents: VersionContent['agents']): Promise<VersionContent['bindings']> {
  const ofAgents = Object.values(agents).flatMap(({ document: { connection, model, tools } }) => [
    `${connection}\n${model}`,
    ...tools.map((tool) => `${tool.connection}\n${tool.capability}`),
  ]);
  const ofSteps = [...walkSteps(document.steps)].flatMap(({ step }) =>
    'capability' in step && step.connection !== null && step.capability !== null ? [`${step.connection}\n${step.capability}`] : [],
  );
  const named = [...ofSteps, ...ofAgents];
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

/** The content of the version that this document would be now. `own`: the agent itself, where the version is an agent's. */
async function contentOf(
  db: Db,
  { document, own = {} }: { document: WorkflowDocument; own?: VersionContent['agents'] },
): Promise<VersionContent> {
  const agents = await agentsOf(db, document, own);
  return { ...document, agents, bindings: await bindingsOf(db, document, agents) };
}

/**
 * Freezes a document as a version. `publish` gives it the next number, and whoever calls puts it into force; otherwise it is the
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
    /** The agent itself, where the version is an agent's. */
    own?: VersionContent['agents'];
    publish: boolean;
  },
): Promise<{ id: string; number: number | null; contentHash: string }> {
  const content = await contentOf(db, version);
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
  return { id: version.id, number, contentHash: hash };
}
