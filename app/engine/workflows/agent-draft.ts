import type { Db } from '#app/contracts/db.ts';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { type AgentDocument, agentDocumentSchema } from '#app/domain/workflows/agent.ts';
import { draftOf } from '#app/engine/workflows/drafts.ts';

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
  const row = await draftOf(db, 'agent', id).select(['a.tags', 'a.status']).executeTakeFirst();
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
