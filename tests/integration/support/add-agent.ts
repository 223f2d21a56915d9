import { randomUUID } from 'node:crypto';
import { EMPTY_AGENT, workflowOfAgent } from '#app/domain/workflows/agent.ts';
import type { Instance } from '#tests/survival/support/instance.ts';

/** Writes an agent with a version into a workspace of a running instance, the builder's; answers its id. */
export async function addAgent(instance: Instance, workspaceId: string, name: string): Promise<string> {
  const agent = randomUUID();
  const document = { ...workflowOfAgent({ id: agent, name }), agents: { [agent]: { name, document: EMPTY_AGENT } } };
  await instance.query(
    `with a as (insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status, draft_revision)
        select $1, $2, 'agent', $6, user_id, 'active', 1 from quorate.members where workspace_id = $2 and 'builder' = any (roles) limit 1 returning id, owner_id),
      d as (insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) select $2, id, 1, $3::jsonb, owner_id from a),
      v as (insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) select $1, $2, id, 1, $4::jsonb, 'hash', owner_id from a)
     insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id) select $5, $2, 'system', 'agent.created', 'agent', $1::text from a`,
    [agent, workspaceId, JSON.stringify(EMPTY_AGENT), JSON.stringify(document), randomUUID(), name],
  );
  return agent;
}
