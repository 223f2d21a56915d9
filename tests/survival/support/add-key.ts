import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { Instance } from '#tests/survival/support/instance.ts';

/** A key of the workspace's builder, put there as the database's owner with the event that every change needs. Returns its secret. */
export async function addKey(instance: Pick<Instance, 'query'>, workspaceId: string, scopes: readonly string[]): Promise<string> {
  const secret = `qk_${randomBytes(32).toString('base64url')}`;
  await instance.query(
    `with change as (
       insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes)
       select $1, $2, user_id, 'Program', $3, $4, $5 from quorate.members where workspace_id = $2 and 'builder' = any (roles) limit 1 returning 1),
     event as (
       insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), $2, 'system', 'test.arranged', 'workspace', $2)
     select 1`,
    [newId(), workspaceId, secret.slice(0, 9), createHash('sha256').update(secret).digest(), scopes],
  );
  return secret;
}
