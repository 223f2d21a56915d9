/** A connection to the counting peer and workflows in the demo workspace, put there as the database's owner. */
import { v7 as newId } from 'uuid';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import type { Instance } from '#tests/survival/support/instance.ts';

export type Arranged = {
  workspaceId: string;
  connect(slug: string, endpoint: string): Promise<void>;
  addWorkflow(steps: unknown[]): Promise<string>;
  /** Schedules that are due at once and not again before New Year; answers their ids. */
  addDueSchedules(workflow: string, count: number): Promise<string[]>;
};

/** The workspace that the first start made. Versions are the admin's, so that builder and approver are others. */
export async function arrangeIn(instance: Instance): Promise<Arranged> {
  const [people] = await instance.query<{ workspace: string; builder: string; admin: string }>(
    `select w.id as workspace, (select user_id from quorate.members m where m.workspace_id = w.id and 'builder' = any (roles)) as builder,
       (select user_id from quorate.members m where m.workspace_id = w.id and 'admin' = any (roles)) as admin
     from quorate.workspaces w where w.is_demo`,
  );
  if (people === undefined) throw new Error('there is no demo workspace');
  const { workspace: workspaceId, builder, admin } = people;
  const arranged = (text: string) =>
    `with change as (${text}), event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), '${workspaceId}', 'system', 'test.arranged', 'workspace', '${workspaceId}') select 1`;
  const change = (text: string, values: unknown[]) => instance.query(arranged(text), values);
  await change(`update quorate.workspaces set plan = $1, private_network = $2 where id = '${workspaceId}' returning 1`, [
    'enterprise',
    JSON.stringify(LOOPBACK_LIST),
  ]);
  return {
    workspaceId,
    async connect(slug, endpoint) {
      const peers = createPeers({ fetch, builtin: () => ({ origin: '', token: '' }) });
      const { capabilities } = await peers.inspect({ kind: 'mcp', endpoint, credential: null });
      await peers.close();
      const connectionId = newId();
      await change(
        `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed)
         values ($1, $2, 'mcp', $3, $3, $4, 'connected', $5, true) returning 1`,
        [connectionId, workspaceId, slug, endpoint, builder],
      );
      for (const { kind, name, title, description, inputSchema, definition, fingerprint } of capabilities)
        await change(
          `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, title, description, input_schema, definition, fingerprint, approved_fingerprint)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning 1`,
          [
            newId(),
            workspaceId,
            connectionId,
            kind,
            name,
            title,
            description,
            JSON.stringify(inputSchema),
            JSON.stringify(definition),
            fingerprint,
          ],
        );
    },
    async addWorkflow(steps) {
      const document = workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, steps });
      const [artifactId, versionId] = [newId(), newId()];
      await change(
        `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'Survival', $3, 'active') returning 1`,
        [artifactId, workspaceId, builder],
      );
      await change(
        `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, $4, 'survival', $5) returning 1`,
        [versionId, workspaceId, artifactId, JSON.stringify(document), admin],
      );
      await change(`update quorate.artifacts set published_version_id = $2 where id = $1 returning 1`, [artifactId, versionId]);
      return artifactId;
    },
    async addDueSchedules(workflow, count) {
      const ids = Array.from({ length: count }, () => newId());
      const settings = { cron: '0 0 1 1 *', timeZone: 'UTC', input: {} };
      await change(
        `insert into quorate.triggers (id, workspace_id, artifact_id, kind, name, settings, next_at, created_by)
         select id, $2, $3, 'schedule', 'Survival ' || id, $4, now(), $5 from unnest($1::uuid[]) as due (id) returning 1`,
        [ids, workspaceId, workflow, JSON.stringify(settings), builder],
      );
      return ids;
    },
  };
}

/** A call whose text is the key that it must come under. */
export const work = (id: string, path = id, connection = 'counting-peer') => ({
  id,
  name: id,
  kind: 'tool',
  connection,
  capability: 'work',
  input: { text: `=run.id & "/${path}"` },
});

/** Calls before, in and after parallel branches, a transform between them: five calls a run. */
export const FIVE_CALLS = [
  work('a'),
  { id: 't', name: 'T', kind: 'transform', expression: '{ "seen": steps.a.done }' },
  {
    id: 'fork',
    name: 'Fork',
    kind: 'branch',
    mode: 'parallel',
    branches: [
      { label: 'left', steps: [work('l', 'fork/left/l'), work('m', 'fork/left/m')] },
      { label: 'right', steps: [work('r', 'fork/right/r')] },
    ],
  },
  work('z'),
];
