import { setTimeout as pause } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { DEFAULT_RUN_CEILINGS } from '#app/domain/runs/run-limits.ts';
import type { RunQueue } from '#app/domain/runs/run-queue.ts';
import { type AgentDocument, agentDocumentSchema, EMPTY_AGENT, workflowOfAgent } from '#app/domain/workflows/agent.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { requestRelease } from '#app/engine/approvals/request-release.ts';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createAdmitRun } from '#app/engine/runs/admit-run.ts';
import { createEnqueueRun } from '#app/engine/runs/enqueue-run.ts';
import { type RunStart, startRun } from '#app/engine/runs/start-run.ts';
import { type RunWorker, type RunWorkerDeps, startRunWorker } from '#app/engine/runs/worker-loop.ts';
import { createDatabaseFiles } from '#app/platform/files/database-files.server.ts';
import { createRunQueue } from '#app/platform/queue/pg-boss-queue.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import type { TestDatabase, TestMember, TestWorkspace } from '#tests/support/test-database.ts';

export type RunFixture = Awaited<ReturnType<typeof createRunFixture>>;
export type Workspace = TestWorkspace & { members: TestMember[]; builder: TestMember; approver: TestMember; admin: TestMember };

/** A workspace in which runs can be started, and as many workers as wanted, against a peer that the test plays. */
export async function createRunFixture(test: TestDatabase) {
  const queues: RunQueue[] = [];
  const workers: RunWorker[] = [];
  const connection = { ...test.appLogin };
  const queue = await createRunQueue({ connection, log: quietLog, supervise: false });
  queues.push(queue);
  const enqueueRun = createEnqueueRun(queue);
  const admitRun = createAdmitRun(DEFAULT_RUN_CEILINGS, queue.countQueued);

  async function asMember<T>(
    workspace: Workspace,
    member: TestMember,
    work: (db: Db) => Promise<{ result: T; event: AuditEntry }>,
  ): Promise<T> {
    return test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, async (db) => {
      const { result, event } = await work(db);
      await recordEvent(db, {
        id: newId(),
        actor: { kind: 'member', id: member.id, name: member.name },
        workspaceId: workspace.id,
        entry: event,
      });
      return result;
    });
  }

  return {
    queue,
    enqueueRun,
    admitRun,
    asMember,
    async makeWorkspace(
      more: Pick<Parameters<TestDatabase['makeWorkspace']>[0], 'privateNetwork' | 'reviewsEffects'> = {},
    ): Promise<Workspace> {
      const made = await test.makeWorkspace({
        ...more,
        members: [{ roles: ['user', 'builder'] }, { roles: ['user', 'approver'] }, { roles: ['user', 'admin'] }],
      });
      const [builder, approver, admin] = made.members;
      if (builder === undefined || approver === undefined || admin === undefined) throw new Error('no members');
      return { ...made, builder, approver, admin };
    },
    /** Gives the approval that a run asked for last, as the approver does. Returns its id. */
    async approve(workspace: Workspace, runId: string): Promise<string> {
      const { rows } = await test.owner.query(
        'select id, action_digest from quorate.approvals where run_id = $1 order by created_at desc limit 1',
        [runId],
      );
      const [{ id: approvalId, action_digest: digest }] = rows;
      await test.prove(workspace.approver, approvalId);
      await asMember(workspace, workspace.approver, async (db) => ({
        result: await voteApproval(db, { enqueueRun }, { approvalId, vote: 'approve', reason: '', digest }),
        event: { action: 'approval.approved', resource: { kind: 'approval', id: approvalId } },
      }));
      return approvalId;
    },
    /** Lifts a halt as people do: the admin asks, the approver decides. */
    async lift(workspace: Workspace): Promise<void> {
      const approvalId = newId();
      const question = { approvalId, workspaceId: workspace.id, title: 'Lift it', reason: 'Over', requester: 'Ada', now: new Date() };
      await asMember(workspace, workspace.admin, async (db) => ({ result: null, event: await requestRelease(db, question) }));
      await test.prove(workspace.approver, approvalId);
      await asMember(workspace, workspace.approver, async (db) => {
        const { action_digest: digest } = await db
          .selectFrom('quorate.approvals')
          .select('action_digest')
          .where('id', '=', approvalId)
          .executeTakeFirstOrThrow();
        await voteApproval(db, { enqueueRun }, { approvalId, vote: 'approve', reason: '', digest });
        return { result: null, event: { action: 'workspace.released', resource: { kind: 'workspace', id: workspace.id } } };
      });
    },
    /** An approved capability of a connected peer. */
    async makeCapability(
      workspace: Workspace,
      wanted: {
        name: string;
        kind?: 'tool' | 'skill' | 'model';
        slug?: string;
        endpoint?: string;
        approved?: boolean;
        inputSchema?: Json;
        personalDataAllowed?: boolean;
        /** Says that it writes, and not that it may be repeated. */
        writes?: boolean;
        /** Says that it only reads. */
        reads?: boolean;
      },
    ): Promise<{ connectionId: string; capabilityId: string; slug: string }> {
      const connectionId = newId();
      const capabilityId = newId();
      const slug = wanted.slug ?? `peer-${connectionId.slice(-12)}`;
      const kind = wanted.kind ?? 'tool';
      await test.arrange(workspace.id, async (client) => {
        await client.query(
          `insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed) values ($1, $2, $3, $4, $5, $6, 'connected', $7, $8)`,
          [
            connectionId,
            workspace.id,
            { tool: 'mcp', skill: 'a2a', model: 'model' }[kind],
            slug,
            slug,
            wanted.endpoint ?? 'https://peer.example',
            workspace.builder.id,
            wanted.personalDataAllowed ?? true,
          ],
        );
        await client.query(
          `insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, description, input_schema, definition, fingerprint, approved_fingerprint) values ($1, $2, $3, $4, $5, $6, $7, $9, 'f1', $8)`,
          [
            capabilityId,
            workspace.id,
            connectionId,
            kind,
            wanted.name,
            `${wanted.name} for tests`,
            JSON.stringify(wanted.inputSchema ?? null),
            wanted.approved === false ? null : 'f1',
            JSON.stringify({ annotations: { idempotentHint: wanted.writes !== true, ...(wanted.reads && { readOnlyHint: true }) } }),
          ],
        );
      });
      return { connectionId, capabilityId, slug };
    },
    async makeWorkflow(
      workspace: Workspace,
      part: Partial<{ [key in keyof WorkflowDocument]: unknown }>,
    ): Promise<{ artifactId: string; versionId: string; document: WorkflowDocument }> {
      const document = workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, ...part });
      const artifactId = newId();
      const versionId = newId();
      await test.arrange(workspace.id, async (client) => {
        await client.query(
          `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'Test workflow', $3, 'active')`,
          [artifactId, workspace.id, workspace.builder.id],
        );
        await client.query(
          `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, $4, 'hash', $5)`,
          [versionId, workspace.id, artifactId, JSON.stringify(document), workspace.admin.id],
        );
        await client.query('update quorate.artifacts set published_version_id = $2 where id = $1', [artifactId, versionId]);
      });
      return { artifactId, versionId, document };
    },
    /** An agent in force, whose version is what publishing it would make. */
    async makeAgent(
      workspace: Workspace,
      document: Partial<{ [key in keyof AgentDocument]: unknown }>,
    ): Promise<{ artifactId: string; versionId: string; document: WorkflowDocument }> {
      const artifactId = newId();
      const versionId = newId();
      const workflow = workflowOfAgent({ id: artifactId, name: 'Test agent' });
      const agent = { name: 'Test agent', document: agentDocumentSchema.parse({ ...EMPTY_AGENT, ...document }) };
      await test.arrange(workspace.id, async (client) => {
        await client.query(
          `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'agent', 'Test agent', $3, 'active')`,
          [artifactId, workspace.id, workspace.builder.id],
        );
        await client.query(
          `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, $4, 'hash', $5)`,
          [versionId, workspace.id, artifactId, JSON.stringify({ ...workflow, agents: { [artifactId]: agent } }), workspace.admin.id],
        );
        await client.query('update quorate.artifacts set published_version_id = $2 where id = $1', [artifactId, versionId]);
      });
      return { artifactId, versionId, document: workflow };
    },
    start(
      workspace: Workspace,
      workflow: { artifactId: string; versionId: string; document: WorkflowDocument },
      input: { [name: string]: Json } = {},
      requestKey: string | null = null,
      from?: RunStart['from'],
    ): Promise<string> {
      return asMember(workspace, workspace.builder, async (db) => {
        const started = await startRun(
          db,
          { enqueueRun, admitRun, newId },
          {
            workspaceId: workspace.id,
            ...workflow,
            mode: 'live',
            input,
            initiatorId: workspace.builder.id,
            requestKey,
            name: 'Test workflow',
            ...(from === undefined ? {} : { from }),
          },
        );
        return { result: started.runId, event: started.event };
      });
    },
    async startWorker(
      callPeer: CallPeer,
      options: Pick<
        Partial<RunWorkerDeps>,
        'log' | 'callbacks' | 'requestCheck' | 'signIns' | 'report' | 'takes' | 'maxInFlight' | 'runsAtOnceCeiling'
      > & {
        now?: () => Date;
      } = {},
    ): Promise<RunWorker> {
      const own = await createRunQueue({ connection, log: options.log ?? quietLog, supervise: false, maxConnections: 3 });
      queues.push(own);
      const worker = await startRunWorker({
        statement: (query) => test.database.workerPool.query(query),
        queue: own,
        callPeer,
        sealer: { seal: () => new Uint8Array(), open: () => '' },
        files: createDatabaseFiles(test.database, newId),
        scanFile: async () => 'clean' as const,
        newId,
        clock: { now: options.now ?? (() => new Date()) },
        ...(options.report === undefined ? {} : { report: options.report }),
        takes: options.takes,
        ...(options.callbacks === undefined ? {} : { callbacks: options.callbacks }),
        log: options.log ?? quietLog,
        ...(options.signIns === undefined ? {} : { signIns: options.signIns }),
        ...(options.requestCheck === undefined ? {} : { requestCheck: options.requestCheck }),
        ...(options.maxInFlight === undefined ? {} : { maxInFlight: options.maxInFlight }),
        ...(options.runsAtOnceCeiling === undefined ? {} : { runsAtOnceCeiling: options.runsAtOnceCeiling }),
      });
      workers.push(worker);
      return worker;
    },
    async run(runId: string) {
      const { rows } = await test.owner.query('select * from quorate.runs where id = $1', [runId]);
      return rows[0];
    },
    async steps(runId: string) {
      const { rows } = await test.owner.query('select * from quorate.steps where run_id = $1 order by position', [runId]);
      return rows;
    },
    /** Waits until a run is in one of the statuses; answers its row. */
    async until(runId: string, statuses: string[], withinMs = 60_000) {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const { rows } = await test.owner.query('select * from quorate.runs where id = $1', [runId]);
        if (statuses.includes(rows[0]?.status)) return rows[0];
        if (Date.now() > deadline) {
          const steps = await test.owner.query('select path, status, attempt, error from quorate.steps where run_id = $1', [runId]);
          throw new Error(`run is ${rows[0]?.status}, not ${statuses.join(' or ')}: ${JSON.stringify([rows[0]?.error, steps.rows])}`);
        }
        await pause(20);
      }
    },
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(queues.map((one) => one.stop()));
    },
  };
}
