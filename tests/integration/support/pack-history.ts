import { v7 as newId } from 'uuid';
import { journalEntry } from '#app/engine/audit/journal-hash.ts';
import type { TestDatabase, TestMember } from '#tests/support/test-database.ts';

/** A workspace with a builder, an approver, an auditor and a plain user, and a workflow whose runs a test makes up. */
export async function openPackHistory(test: TestDatabase) {
  const { id: workspace, members } = await test.makeWorkspace({
    name: 'Ledger Bank',
    members: [
      { roles: ['builder'], name: 'Bea' },
      { roles: ['approver'], name: 'Ada' },
      { roles: ['auditor'], name: 'Uma' },
      { roles: ['user'], name: 'Ida' },
    ],
  });
  const [builder, approver, auditor, plain] = members as [TestMember, TestMember, TestMember, TestMember];
  const [artifact, version] = [newId(), newId()];
  await test.arrange(workspace, async (client) => {
    await client.query(
      "insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Payments', $3)",
      [artifact, workspace, builder.id],
    );
    await client.query(
      "insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)",
      [version, workspace, artifact, builder.id],
    );
  });

  /** An entry of the log at a time of the test's choice. */
  const addEntry = async (entry: { action: string; kind: string; id: string; at: string; payload?: object }) => {
    const id = newId();
    await test.owner.query(
      `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, payload, at)
       values ($1, $2, 'system', $3, $4, $5, $6, $7)`,
      [id, workspace, entry.action, entry.kind, entry.id, JSON.stringify(entry.payload ?? {}), entry.at],
    );
    return id;
  };

  /** A run of one step: its decision, its end, and the entry that closes it. `approval`: when it was given, and when it was taken up. */
  const addRun = async (run: {
    verdict: string;
    decidedAt: string;
    finishedAt: string | null;
    mode?: 'live' | 'test';
    approval?: { decidedAt: string; consumedAt: string | null };
    closed?: boolean;
  }) => {
    const [id, decision, approval] = [newId(), newId(), run.approval === undefined ? null : newId()];
    await test.arrange(workspace, async (client) => {
      await client.query(
        'insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id) values ($1, $2, $3, $4, $5, $6)',
        [id, workspace, artifact, version, run.mode ?? 'live', builder.id],
      );
      if (run.approval === undefined) return;
      const { decidedAt, consumedAt } = run.approval;
      await client.query(
        `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, status, requested_by,
           version_author_id, due_at, decided_at, consumed_at)
         values ($1, $2, $3, 'pay', 'Pay', '{}', 'digest', '{"key":"x","values":{}}', 'high', $4, $5, $5, now() + interval '1 day', $6, $7)`,
        [approval, workspace, id, consumedAt === null ? 'approved' : 'consumed', builder.id, decidedAt, consumedAt],
      );
    });
    await test.owner.query(
      `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, started_at, finished_at,
         decision_id, approval_id) values ($1, $2, 'pay', 'pay', 'tool', 'Pay', $3, 1, 'key', $4, $5, $6, $7)`,
      [id, workspace, run.verdict === 'deny' ? 'error' : 'success', run.decidedAt, run.finishedAt, decision, approval],
    );
    await test.owner.query(
      `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, reason, context, action_digest, policy_version,
         decided_at)
       values ($1, $2, $3, 'pay', 1, 'call_tool', $4, '{"key":"k","values":{}}', '{"personalData":[]}', 'digest', 'p', $5)`,
      [decision, workspace, id, run.verdict, run.decidedAt],
    );
    const approved =
      run.approval === undefined || approval === null
        ? null
        : await addEntry({ action: 'approval.approved', kind: 'approval', id: approval, at: run.approval.decidedAt });
    if (run.closed === false) return { id, decision, approved, closing: null };
    const payload = await test.database.asWorker(workspace, async (db) => {
      const steps = await db.selectFrom('quorate.steps').selectAll().where('run_id', '=', id).execute();
      const decisions = await db.selectFrom('quorate.decisions').selectAll().where('run_id', '=', id).execute();
      return { ...journalEntry(steps, decisions), mode: 'live', events: [] };
    });
    const closing = await addEntry({ action: 'run.completed', kind: 'run', id, at: run.finishedAt ?? run.decidedAt, payload });
    return { id, decision, approved, closing };
  };
  return { workspace, builder, approver, auditor, plain, addEntry, addRun };
}
export type PackHistory = Awaited<ReturnType<typeof openPackHistory>>;
