import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { evidenceOfRun } from '#app/engine/audit/evidence.ts';
import { journalEntry } from '#app/engine/audit/journal-hash.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
const key = vkey(signer.name, signer.publicKey, (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));
let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(async () => {
  await test.close();
});

/** A closed run of three steps and one decision, as the journal writes them. `meanwhile`: what else happens in the workspace before its end. */
async function closedRun(meanwhile: (workspace: string, admin: string) => Promise<void> = async () => undefined) {
  const { id: workspace, members } = await test.makeWorkspace({
    members: [{ roles: ['user', 'builder'] }, { roles: ['auditor'] }, { roles: ['user'] }],
  });
  const [builder, auditor, plain] = members as [TestMember, TestMember, TestMember];
  const [artifact, version, run] = [newId(), newId(), newId()];
  await test.arrange(workspace, async (client) => {
    await client.query(
      "insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Screening', $3)",
      [artifact, workspace, builder.id],
    );
    await client.query(
      "insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)",
      [version, workspace, artifact, builder.id],
    );
    await client.query(
      "insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id) values ($1, $2, $3, $4, 'live', $5)",
      [run, workspace, artifact, version, builder.id],
    );
  });
  for (const [n, path] of ['profile', 'route/high/redact', 'screen'].entries())
    await test.owner.query(
      `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, input, output, reason, started_at, finished_at)
       values ($1, $2, $3, $3, 'tool', 'Step', 'success', 1, $3, $4, $5, '{"key": "chosen", "values": {"score": 0.5}}', clock_timestamp(), clock_timestamp())`,
      [run, workspace, path, JSON.stringify({ text: 'ä€', n: 1e21 }), JSON.stringify([n, { nested: null }])],
    );
  const decision = newId();
  await test.owner.query(
    `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, reason, action_digest, policy_version) values ($1, $2, $3, 'screen', 1, 'call_tool', 'allow', '{"key": "allowed", "values": {}}', 'd', 'p')`,
    [decision, workspace, run],
  );
  await meanwhile(workspace, builder.id);
  await test.database.asWorker(workspace, async (db) => {
    const steps = await db.selectFrom('quorate.steps').selectAll().where('run_id', '=', run).execute();
    const decisions = await db.selectFrom('quorate.decisions').selectAll().where('run_id', '=', run).execute();
    const payload = { ...journalEntry(steps, decisions), mode: 'live', events: [] };
    await recordEvent(db, {
      id: newId(),
      actor: { kind: 'worker', id: null, name: null },
      workspaceId: workspace,
      entry: { action: 'run.completed', resource: { kind: 'run', id: run }, payload },
    });
  });
  await test.database.asWorker(workspace, (db) => placeEvents(db, workspace, signer, null));
  const evidenceFor = (member: TestMember) =>
    test.database.asMember(
      { userId: member.id, sessionId: member.sessionId, workspaceId: workspace },
      (db) => evidenceOfRun(db, signer, run),
      { readOnly: true },
    );
  const verify = async () => {
    const report = await verifyEvidence(JSON.parse(JSON.stringify(await evidenceFor(auditor))), { key });
    return {
      verdict: report.verdict,
      failed: report.checks.filter((check) => check.state === 'failed').map(({ code, values }) => ({ code, record: values.record })),
    };
  };
  return { run, decision, plain, auditor, evidenceFor, verify };
}

/** Decisions cannot be changed; whoever owns the database can switch that off. */
async function asDatabaseOwner(statement: string, values: unknown[]) {
  const client = await test.owner.connect();
  try {
    await client.query('begin; alter table quorate.decisions disable trigger user');
    await client.query(statement, values);
    await client.query('alter table quorate.decisions enable trigger user; commit');
  } finally {
    client.release();
  }
}

describe('evidence of a run', () => {
  it('proves every step and decision through the entry that closed it', async () => {
    const { verify } = await closedRun();
    expect(await verify()).toEqual({ verdict: 'proven', failed: [] });
  });

  it('names the run by its number and subject, which no leaf holds', async () => {
    const { run, auditor, evidenceFor, verify } = await closedRun();
    await test.owner.query(`update quorate.runs set subject = '["Jon Smith · ", 9900]' where id = $1`, [run]);
    const evidence = await evidenceFor(auditor);
    expect(evidence.run).toMatchObject({ id: run, number: 1, subject: 'Jon Smith · 9900' });
    expect(JSON.stringify([evidence.events, evidence.run?.records])).not.toContain('Jon Smith');
    expect(await verify()).toEqual({ verdict: 'proven', failed: [] });
  });

  it('holds the entries of break-glass that ran meanwhile, and its own are marked', async () => {
    const change = newId();
    const { auditor, evidenceFor, verify } = await closedRun(async (workspace, by) => {
      await test.arrange(workspace, async (client) => {
        await client.query(
          `insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, status, due_at)
           values ($1, $2, 'policy_pause', $1, '{}', encode(sha256('{}'), 'hex'), $3, 'emergency', now() + interval '1 day')`,
          [change, workspace, by],
        );
        await client.query(
          `insert into quorate.break_glass (change_id, workspace_id, resource_id, user_id, reason, method, ends_at)
           values ($1, $2, $1, $3, 'At night', 'password', now() + interval '1 hour')`,
          [change, workspace, by],
        );
      });
      await test.database.asWorker(workspace, (db) =>
        recordEvent(db, {
          id: newId(),
          actor: { kind: 'worker', id: null, name: null },
          workspaceId: workspace,
          entry: { action: 'breakGlass.started', resource: { kind: 'change', id: change }, payload: { change } },
        }),
      );
    });
    const { events } = await evidenceFor(auditor);
    expect(events.map(({ body }) => [body?.action, body?.payload])).toMatchObject([
      ['breakGlass.started', { change }],
      ['run.completed', { breakGlass: [change] }],
    ]);
    expect(await verify()).toEqual({ verdict: 'proven', failed: [] });
  });

  it.each([
    ['status', `update quorate.steps set status = 'error' where run_id = $1 and path = 'screen'`, 'recordChanged', 'step:screen'],
    [
      'reason',
      `update quorate.steps set reason = '{"key": "other", "values": {}}' where run_id = $1 and path = 'profile'`,
      'recordChanged',
      'step:profile',
    ],
    [
      'time',
      `update quorate.steps set finished_at = finished_at + interval '1 second' where run_id = $1 and path = 'profile'`,
      'recordChanged',
      'step:profile',
    ],
    [
      'output',
      `update quorate.steps set output = '[]' where run_id = $1 and path = 'route/high/redact'`,
      'recordChanged',
      'step:route/high/redact',
    ],
    ['a dropped step', `delete from quorate.steps where run_id = $1 and path = 'screen'`, 'recordDropped', 'step:screen'],
    [
      'an added step',
      `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key) select run_id, workspace_id, 'late', 'late', 'tool', 'Late', 'success', 1, 'x' from quorate.steps where run_id = $1 and path = 'screen'`,
      'recordAdded',
      'step:late',
    ],
  ])('names what was tampered with: %s', async (_, statement, code, record) => {
    const { run, verify } = await closedRun();
    await test.owner.query(statement, [run]);
    expect((await verify()).failed).toEqual([{ code, record }]);
  });

  it('names a verdict that was turned', async () => {
    const { run, decision, verify } = await closedRun();
    await asDatabaseOwner("update quorate.decisions set verdict = 'deny' where run_id = $1", [run]);
    expect((await verify()).failed).toEqual([{ code: 'recordChanged', record: `decision:${decision}` }]);
  });

  it('does not exist for a member who may not see the run', async () => {
    const { plain, evidenceFor } = await closedRun();
    await expect(evidenceFor(plain)).rejects.toMatchObject({ code: 'not_found' });
  });
});
