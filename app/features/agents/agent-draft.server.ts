import { type AgentDocument, type AgentTool, agentDocumentSchema, EMPTY_AGENT } from '#app/domain/agent.ts';
import { AppError } from '#app/domain/errors.ts';
import type { ArtifactStatus } from '#app/domain/statuses.ts';
import type { Db } from '#app/engine/db.ts';
import type { AgentForm } from '#app/features/agents/agent-schema.ts';

export type AgentDraft = {
  id: string;
  name: string;
  description: string;
  tags: string[];
  status: ArtifactStatus;
  ownerId: string;
  publishedVersionId: string | null;
  revision: number;
  document: AgentDocument;
};

/** An agent with its draft as it stands. @throws AppError not_found */
export async function loadAgentDraft(db: Db, id: string): Promise<AgentDraft> {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.drafts as d', (join) => join.onRef('d.artifact_id', '=', 'a.id').onRef('d.revision', '=', 'a.draft_revision'))
    .where('a.id', '=', id)
    .where('a.kind', '=', 'agent')
    .where('a.deleted_at', 'is', null)
    .select(['a.id', 'a.name', 'a.description', 'a.tags', 'a.status', 'a.owner_id', 'a.published_version_id', 'd.revision', 'd.document'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tags: row.tags,
    status: row.status,
    ownerId: row.owner_id,
    publishedVersionId: row.published_version_id,
    revision: row.revision,
    document: agentDocumentSchema.parse(row.document),
  };
}

/** Makes an agent with its first draft, inside the caller's change. */
export async function createAgent(
  db: Db,
  agent: { id: string; workspaceId: string; ownerId: string; name: string; description: string; tags: string[]; document: AgentDocument },
): Promise<void> {
  await db
    .insertInto('quorate.artifacts')
    .values({
      id: agent.id,
      workspace_id: agent.workspaceId,
      kind: 'agent',
      name: agent.name,
      description: agent.description,
      tags: agent.tags,
      owner_id: agent.ownerId,
      draft_revision: 1,
    })
    .execute();
  await db
    .insertInto('quorate.drafts')
    .values({
      workspace_id: agent.workspaceId,
      artifact_id: agent.id,
      revision: 1,
      document: JSON.stringify(agent.document),
      author_id: agent.ownerId,
    })
    .execute();
}

/**
 * Saves the next state of an agent over the one that the form had shown.
 * @throws AppError conflict when somebody saved meanwhile
 */
export async function saveAgentDraft(
  db: Db,
  agent: {
    id: string;
    workspaceId: string;
    expectedRevision: number;
    name: string;
    description: string;
    tags: string[];
    document: AgentDocument;
    authorId: string;
    now: Date;
  },
): Promise<void> {
  const next = agent.expectedRevision + 1;
  const moved = await db
    .updateTable('quorate.artifacts')
    .set({ name: agent.name, description: agent.description, tags: agent.tags, draft_revision: next, updated_at: agent.now })
    .where('id', '=', agent.id)
    .where('draft_revision', '=', agent.expectedRevision)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new AppError('conflict');
  await db
    .insertInto('quorate.drafts')
    .values({
      workspace_id: agent.workspaceId,
      artifact_id: agent.id,
      revision: next,
      document: JSON.stringify(agent.document),
      author_id: agent.authorId,
    })
    .execute();
}

const cutAt = (text: string, mark: string): [string, string] | null => {
  const at = text.indexOf(mark);
  return at > 0 && at < text.length - 1 ? [text.slice(0, at), text.slice(at + 1)] : null;
};

/** The document that a submitted form describes. */
export function documentFromForm(form: AgentForm): AgentDocument {
  const model = cutAt(form.model, '/');
  const tools = form.tools.flatMap((text): AgentTool[] => {
    const [kind, target] = cutAt(text, ':') ?? [];
    const named = target === undefined ? null : cutAt(target, '/');
    return named === null || (kind !== 'tool' && kind !== 'skill') ? [] : [{ kind, connection: named[0], capability: named[1] }];
  });
  return agentDocumentSchema.parse({
    ...EMPTY_AGENT,
    instructions: form.instructions,
    connection: model?.[0] ?? null,
    model: model?.[1] ?? null,
    maxTokens: form.maxTokens,
    tools,
    budget: {
      steps: form.steps,
      tokens: form.tokens,
      costMicros: form.cost === undefined ? null : Math.round(form.cost * 1_000_000),
      seconds: form.seconds,
    },
  });
}

/** At most twelve, each once. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, 40));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 12);
}
