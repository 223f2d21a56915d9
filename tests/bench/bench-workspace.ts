import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import type { Json } from '#app/contracts/json.ts';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { DEFAULT_RUN_CEILINGS } from '#app/domain/runs/run-limits.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { startBuiltinPeers } from '#app/engine/connections/builtin-peers.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { createAdmitRun } from '#app/engine/runs/admit-run.ts';
import { createEnqueueRun } from '#app/engine/runs/enqueue-run.ts';
import { startRun } from '#app/engine/runs/start-run.ts';
import { attachBackend } from '#app/platform/backend.server.ts';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createRunQueue } from '#app/platform/queue/pg-boss-queue.server.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

export type Workflow = { artifactId: string; versionId: string; document: WorkflowDocument };
export type BenchWorkspace = Awaited<ReturnType<typeof openBenchWorkspace>>;

/** A workspace on the server under test, reached as its own processes reach it: runs start as a member's command does. */
export async function openBenchWorkspace(env: NodeJS.ProcessEnv) {
  const settings = readEnv(env);
  const backend = await attachBackend(settings, { log: quietLog });
  const address = JSON.parse(readFileSync(join(settings.dataDir, 'database.json'), 'utf8'));
  const password = readFileSync(join(settings.dataDir, 'database-password'), 'utf8').trim();
  const owner = new pg.Pool({ ...superuserLogin(address, password), database: address.database, types: columnTypes, max: 2 });
  owner.on('error', () => undefined);
  const queue = await createRunQueue({ connection: backend.queueConnection, log: quietLog, supervise: false });
  const enqueueRun = createEnqueueRun(queue);
  const admitRun = createAdmitRun(DEFAULT_RUN_CEILINGS, queue.countQueued);
  const workspaceId = newId();
  const userId = newId();
  const otherId = newId();
  const sessionId = newId();

  async function arrange(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await owner.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query(
        `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id) values ($1, $2::uuid, 'system', 'bench.arranged', 'workspace', ($2::uuid)::text)`,
        [newId(), workspaceId],
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  for (const id of [userId, otherId]) {
    await owner.query(
      `insert into auth.users (id, aud, role, email, email_confirmed_at) values ($1, 'authenticated', 'authenticated', $2, now())`,
      [id, `${id}@bench.example`],
    );
    await owner.query(`insert into public.profiles (id, display_name) values ($1, 'Bench') on conflict do nothing`, [id]);
  }
  await owner.query('insert into auth.sessions (id, user_id) values ($1, $2)', [sessionId, userId]);
  await arrange(async (client) => {
    await client.query(
      `insert into quorate.workspaces (id, name, slug, plan, private_network) values ($1, 'Bench', $2, 'enterprise', $3)`,
      [workspaceId, `bench-${workspaceId.slice(-12)}`, JSON.stringify(LOOPBACK_LIST)],
    );
    for (const id of [userId, otherId])
      await client.query(
        `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user,builder}', 'Bench', $3)`,
        [workspaceId, id, `${id}@bench.example`],
      );
  });

  async function addConnection(
    kind: 'mcp' | 'a2a',
    slug: string,
    endpoint: string,
    capabilities: readonly PeerCapability[],
  ): Promise<void> {
    const id = newId();
    await arrange(async (client) => {
      await client.query(
        `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed) values ($1, $2, $3, $4, $4, $5, 'connected', $6, true)`,
        [id, workspaceId, kind, slug, endpoint, userId],
      );
    });
    for (const capability of capabilities)
      await arrange(async (client) => {
        await client.query(
          `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, title, description, input_schema, definition, fingerprint, approved_fingerprint) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
          [
            newId(),
            workspaceId,
            id,
            capability.kind,
            capability.name,
            capability.title,
            capability.description,
            JSON.stringify(capability.inputSchema),
            JSON.stringify(capability.definition),
            capability.fingerprint,
          ],
        );
      });
  }

  return {
    workspaceId,
    userId,
    sessionId,
    owner,
    /** As the processes of the server reach it. */
    database: backend.database,
    addConnection,
    arrange,
    /** The tools of this product's own MCP server, as any client sees them. */
    async addBuiltinTools(): Promise<void> {
      const token = 'bench';
      const builtin = await startBuiltinPeers({ host: '127.0.0.1', token });
      const peers = createPeers({ fetch, builtin: () => ({ origin: builtin.origin, token }) });
      const { capabilities } = await peers.inspect({ kind: 'mcp', endpoint: 'builtin:tools', credential: null });
      await peers.close();
      await builtin.stop();
      await addConnection('mcp', 'quorate-tools', 'builtin:tools', capabilities);
    },
    /** An agent elsewhere; answers the names of its skills. */
    async addAgent(slug: string, endpoint: string): Promise<string[]> {
      const peers = createPeers({ fetch, builtin: () => ({ origin: '', token: '' }) });
      const { capabilities } = await peers.inspect({ kind: 'a2a', endpoint, credential: null });
      await peers.close();
      await addConnection('a2a', slug, endpoint, capabilities);
      return capabilities.map((capability) => capability.name);
    },
    /** Someone who signs in with a password of another workspace, and builds in this one too. */
    async addBuilder(email: string): Promise<void> {
      await arrange(async (client) => {
        await client.query(
          `insert into quorate.members (workspace_id, user_id, roles, name, email) select $1, id, '{user,builder}', 'Builder', email from auth.users where email = $2`,
          [workspaceId, email],
        );
      });
    },
    /** Rows of runs that have not begun, and their jobs, all at once. */
    async queueBacklog(workflow: Workflow, count: number, startAfter?: Date): Promise<void> {
      let ids: { id: string }[] = [];
      await arrange(async (client) => {
        const made = await client.query<{ id: string }>(
          `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, input)
           select quorate.make_id(), $1, $2, $3, 'live', $4, '{"text":"Please review the invoice.","amount":1}' from generate_series(1, $5) returning id`,
          [workspaceId, workflow.artifactId, workflow.versionId, userId, count],
        );
        ids = made.rows;
      });
      await queue.send(
        ids.map(({ id }) => ({ runId: id, workspaceId })),
        { starts: true, ...(startAfter === undefined ? {} : { startAfter }) },
      );
    },
    /** Takes back what has not begun. */
    async dropBacklog(): Promise<void> {
      await owner.query(`delete from pgboss.job where state = 'created' and data ->> 'workspaceId' = $1`, [workspaceId]);
      await arrange(async (client) => {
        await client.query(`delete from quorate.runs where workspace_id = $1 and status = 'pending'`, [workspaceId]);
      });
    },
    async addWorkflow(part: Partial<{ [key in keyof WorkflowDocument]: unknown }>): Promise<Workflow> {
      const document = workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, ...part });
      const artifactId = newId();
      const versionId = newId();
      await arrange(async (client) => {
        await client.query(
          `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'Bench', $3, 'active')`,
          [artifactId, workspaceId, userId],
        );
        await client.query(
          `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, $4, 'bench', $5)`,
          [versionId, workspaceId, artifactId, JSON.stringify(document), otherId],
        );
        await client.query(
          `insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) values ($1, $2, 1, $3, $4)`,
          [workspaceId, artifactId, JSON.stringify(document), otherId],
        );
        await client.query('update quorate.artifacts set published_version_id = $2, draft_revision = 1 where id = $1', [
          artifactId,
          versionId,
        ]);
      });
      return { artifactId, versionId, document };
    },
    /** The member's command: run, job and audit event in one transaction. */
    start(workflow: Workflow, input: { [name: string]: Json }): Promise<string> {
      return backend.database.asMember({ userId, sessionId, workspaceId }, async (db) => {
        const { runId, event } = await startRun(
          db,
          { enqueueRun, admitRun, newId },
          { workspaceId, ...workflow, mode: 'live', input, initiatorId: userId, requestKey: null, name: 'Bench' },
        );
        await recordEvent(db, { id: newId(), actor: { kind: 'member', id: userId, name: 'Bench' }, workspaceId, entry: event });
        return runId;
      });
    },
    async close(): Promise<void> {
      await queue.stop();
      await owner.end();
      await backend.close();
    },
  };
}
