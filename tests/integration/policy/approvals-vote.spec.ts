import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import { NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { expireApprovals } from '#app/engine/approvals/expire-approvals.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import { type GivenVote, voteApproval, withdrawApproval } from '#app/engine/approvals/vote-approval.ts';
import { VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

const DIGEST = 'd'.repeat(64);
let test: TestDatabase;
let workspace: TestWorkspace & { members: TestMember[] };
let people: Record<'initiator' | 'author' | 'first' | 'second' | 'third' | 'plain' | 'requester', TestMember>;

beforeAll(async () => {
  test = await createTestDatabase();
  const approver = { roles: ['user', 'approver' as const] as TestMember['roles'] };
  workspace = await test.makeWorkspace({
    members: [
      { roles: ['user', 'builder', 'approver'] },
      { roles: ['user', 'builder', 'approver'] },
      approver,
      approver,
      approver,
      { roles: ['user', 'builder', 'auditor', 'admin'] },
      approver,
    ],
  });
  const [initiator, author, first, second, third, plain, requester] = workspace.members;
  if (!initiator || !author || !first || !second || !third || !plain || !requester) throw new Error('no members');
  people = { initiator, author, first, second, third, plain, requester };
});
afterAll(() => test.close());

type Wanted = { risk?: string; quorum?: number; dueInMs?: number; requestedBy?: string; status?: string };
async function makeApproval(wanted: Wanted = {}): Promise<{ approval: string; run: string }> {
  const [artifact, version, run, approval] = [newId(), newId(), newId(), newId()];
  await test.arrange(workspace.id, async (client) => {
    await client.query(`insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Flow', $3)`, [
      artifact,
      workspace.id,
      people.author.id,
    ]);
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)`,
      [version, workspace.id, artifact, people.author.id],
    );
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'waiting')`,
      [run, workspace.id, artifact, version, people.initiator.id],
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, status, requested_by, version_author_id, due_at)
       values ($1, $2, $3, 'send', 'Send it', '{}', $4, '{"key":"policyAllowed","values":{}}', $5, $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10))`,
      [
        approval,
        workspace.id,
        run,
        DIGEST,
        wanted.risk ?? 'medium',
        wanted.quorum ?? 1,
        wanted.status ?? 'pending',
        wanted.requestedBy ?? people.initiator.id,
        people.author.id,
        (wanted.dueInMs ?? 3_600_000) / 1000,
      ],
    );
  });
  return { approval, run };
}

const enqueued: string[] = [];
const engine = {
  async enqueueRun(_db: Db, run: { id: string }) {
    enqueued.push(run.id);
  },
};

function asMember<T>(member: TestMember, work: (db: Db) => Promise<T>, action: AuditAction = 'approval.requested'): Promise<T> {
  return test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, async (db) => {
    const result = await work(db);
    await recordEvent(db, {
      id: newId(),
      actor: { kind: 'member', id: member.id, name: member.name },
      workspaceId: workspace.id,
      entry: { action, resource: { kind: 'approval', id: 'x' } },
    });
    return result;
  });
}

function vote(member: TestMember, approval: string, part: Partial<GivenVote> = {}) {
  return asMember(member, (db) => voteApproval(db, engine, { approvalId: approval, vote: 'approve', reason: '', digest: DIGEST, ...part }));
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof VoteRefused) return error.refusal;
    throw error;
  }
  return 'counted';
}

async function stateOf(approval: string): Promise<{ status: string; votes: number; wake: boolean }> {
  const { rows } = await test.owner.query(
    'select a.status, r.wake, (select count(*)::int from quorate.approval_votes v where v.approval_id = a.id) as votes from quorate.approvals a join quorate.runs r on r.id = a.run_id where a.id = $1',
    [approval],
  );
  return rows[0];
}

describe('a vote', () => {
  it('approves, lets the run continue, and is kept with its meaning and digest', async () => {
    const { approval, run } = await makeApproval();
    expect(await vote(people.first, approval, { reason: 'Checked with the branch.' })).toMatchObject({
      status: 'approved',
      runId: run,
      stepPath: 'send',
      title: 'Send it',
    });
    expect(enqueued).toContain(run);
    expect(await stateOf(approval)).toEqual({ status: 'approved', votes: 1, wake: true });
    const { rows } = await test.owner.query(
      'select user_id, voter_name, vote, reason, action_digest, method from quorate.approval_votes where approval_id = $1',
      [approval],
    );
    expect(rows).toEqual([
      {
        user_id: people.first.id,
        voter_name: people.first.name,
        vote: 'approve',
        reason: 'Checked with the branch.',
        action_digest: DIGEST,
        method: 'session',
      },
    ]);
  });

  it('rejects at once, whatever the quorum', async () => {
    const { approval, run } = await makeApproval({ quorum: 3 });
    expect((await vote(people.first, approval, { vote: 'reject', reason: 'Wrong customer.' })).status).toBe('rejected');
    expect(enqueued).toContain(run);
    expect(await refusal(vote(people.second, approval))).toBe('closed');
  });

  it('waits for the quorum of different people', async () => {
    const { approval, run } = await makeApproval({ quorum: 2 });
    expect((await vote(people.first, approval)).status).toBe('pending');
    expect(enqueued).not.toContain(run);
    expect(await stateOf(approval)).toEqual({ status: 'pending', votes: 1, wake: false });
    expect(await refusal(vote(people.first, approval))).toBe('voted');
    expect((await vote(people.second, approval)).status).toBe('approved');
  });

  it.each<[string, () => TestMember, Wanted, Partial<GivenVote>, string]>([
    ['by who started the run', () => people.initiator, {}, {}, 'requester'],
    [
      'by who started the run, asked for by another',
      () => people.initiator,
      { requestedBy: '00000000-0000-7000-8000-000000000001' },
      {},
      'initiator',
    ],
    ['by who wrote the version', () => people.author, {}, {}, 'author'],
    ['by somebody without the role', () => people.plain, {}, {}, 'role'],
    ['for another digest', () => people.first, {}, { digest: 'e'.repeat(64) }, 'digest'],
    ['for no digest', () => people.first, {}, { digest: '' }, 'digest'],
    ['after it was due', () => people.first, { dueInMs: -1 }, {}, 'late'],
    ['on a high risk without authenticating again', () => people.first, { risk: 'high' }, {}, 'reauthenticate'],
    ['that rejects without a reason', () => people.first, {}, { vote: 'reject', reason: '  ' }, 'incomplete'],
    ['that is neither', () => people.first, {}, { vote: 'maybe' as 'approve' }, 'incomplete'],
    ['on what was withdrawn', () => people.first, { status: 'withdrawn' }, {}, 'closed'],
    ['on what was consumed', () => people.first, { status: 'consumed' }, {}, 'closed'],
  ])('%s is refused', async (_what, member, wanted, part, expected) => {
    const { approval, run } = await makeApproval(wanted);
    const before = await stateOf(approval);
    expect(await refusal(vote(member(), approval, part))).toBe(expected);
    expect(await stateOf(approval)).toEqual(before);
    expect(enqueued).not.toContain(run);
  });

  it('by the requester is refused even where the run is not theirs', async () => {
    const { approval } = await makeApproval({ requestedBy: people.requester.id });
    expect(await refusal(vote(people.requester, approval))).toBe('requester');
  });

  it('on a high risk counts with authentication', async () => {
    const { approval } = await makeApproval({ risk: 'high' });
    await test.prove(people.first, approval);
    expect((await vote(people.first, approval)).status).toBe('approved');
  });

  it('of another workspace finds nothing', async () => {
    const { approval } = await makeApproval();
    const other = await test.makeWorkspace({ members: [{ roles: ['user', 'approver'] }] });
    const stranger = other.members[0];
    if (stranger === undefined) throw new Error('no member');
    const attempt = test.database.asMember({ userId: stranger.id, sessionId: stranger.sessionId, workspaceId: other.id }, (db) =>
      voteApproval(db, engine, { approvalId: approval, vote: 'approve', reason: '', digest: DIGEST }),
    );
    expect(await refusal(attempt)).toBe('unknown');
    expect((await stateOf(approval)).status).toBe('pending');
  });

  it('through an API key is refused', async () => {
    const { approval } = await makeApproval();
    const hash = Buffer.from('k'.repeat(32));
    await test.arrange(workspace.id, async (client) => {
      await client.query(
        `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Key', 'k', $4, '{runs:read,runs:start,workflows:read,workflows:write,approvals:read,audit:read}')`,
        [newId(), workspace.id, people.first.id, hash],
      );
    });
    const attempt = test.database.asKey(hash, (db) =>
      voteApproval(db, engine, { approvalId: approval, vote: 'approve', reason: '', digest: DIGEST }),
    );
    expect(await refusal(attempt)).toBe('key');
  });

  it('counts once when one person sends it twice at once', async () => {
    const { approval } = await makeApproval({ quorum: 2 });
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => refusal(vote(people.first, approval))));
    expect(outcomes.sort()).toEqual(['counted', 'voted', 'voted', 'voted']);
    expect(await stateOf(approval)).toMatchObject({ status: 'pending', votes: 1 });
  });

  it('of several people at once decides once', async () => {
    const { approval, run } = await makeApproval({ quorum: 2 });
    enqueued.length = 0;
    const outcomes = await Promise.all([people.first, people.second, people.third].map((member) => refusal(vote(member, approval))));
    expect(outcomes.sort()).toEqual(['closed', 'counted', 'counted']);
    expect(enqueued.filter((id) => id === run)).toHaveLength(1);
    expect(await stateOf(approval)).toMatchObject({ status: 'approved', votes: 2 });
  });

  it('is not kept without its audit event', async () => {
    const { approval } = await makeApproval();
    const { id, sessionId } = people.first;
    const silent = test.database.asMember({ userId: id, sessionId, workspaceId: workspace.id }, (db) =>
      voteApproval(db, engine, { approvalId: approval, vote: 'approve', reason: '', digest: DIGEST }),
    );
    await expect(silent).rejects.toThrow(/audit event/);
    expect(await stateOf(approval)).toMatchObject({ status: 'pending', votes: 0 });
  });

  it('cannot be written past the function', async () => {
    const { approval } = await makeApproval();
    const forged = asMember(people.first, (db) =>
      db
        .insertInto('quorate.approval_votes')
        .values({
          workspace_id: workspace.id,
          approval_id: approval,
          user_id: people.second.id,
          voter_name: 'x',
          vote: 'approve',
          action_digest: DIGEST,
          method: 'password',
        })
        .execute(),
    );
    await expect(forged).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      asMember(people.first, (db) => db.updateTable('quorate.approvals').set({ status: 'approved' }).where('id', '=', approval).execute()),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('withdrawing', () => {
  it('is for who started the run, while it is open', async () => {
    const { approval, run } = await makeApproval();
    expect(await refusal(asMember(people.first, (db) => withdrawApproval(db, engine, approval)))).toBe('notInitiator');
    await asMember(people.initiator, (db) => withdrawApproval(db, engine, approval));
    expect(enqueued).toContain(run);
    expect((await stateOf(approval)).status).toBe('withdrawn');
    expect(await refusal(asMember(people.initiator, (db) => withdrawApproval(db, engine, approval)))).toBe('closed');
  });
});

describe('the sweep', () => {
  it('closes what is past due, each with an audit event, and only once', async () => {
    const late = await Promise.all([makeApproval({ dueInMs: -1 }), makeApproval({ dueInMs: -1, status: 'approved' })]);
    const open = await makeApproval();
    const sweep = () =>
      expireApprovals({
        asApp: test.database.app,
        asWorker: test.database.asWorker,
        enqueueRun: engine.enqueueRun,
        newId: () => newId(),
        log: quietLog,
      });
    const closed = await Promise.all([sweep(), sweep()]);
    expect(closed[0] + closed[1]).toBeGreaterThanOrEqual(2);
    for (const { approval, run } of late) {
      expect((await stateOf(approval)).status).toBe('expired');
      expect(enqueued).toContain(run);
      const { rows } = await test.owner.query(
        `select actor_kind from quorate.audit_events where action = 'approval.expired' and resource_id = $1`,
        [approval],
      );
      expect(rows).toEqual([{ actor_kind: 'worker' }]);
    }
    expect((await stateOf(open.approval)).status).toBe('pending');
  });
});

describe('the inbox', () => {
  it('leads from one decision to the next: what is due next behind it, then from the front; never what others decide', async () => {
    const next = (member: TestMember, after: string | null, chosen = NO_FILTER) =>
      test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, (db, roles) =>
        findNextApproval(db, { userId: member.id, roles }, after, chosen),
      );
    // Due after everything else that this file makes.
    const last = await makeApproval({ dueInMs: 900_000_000 });
    const beyond = await makeApproval({ dueInMs: 910_000_000 });
    const { rows } = await test.owner.query('select artifact_id from quorate.runs where id = $1', [last.run]);
    const workflow = rows[0].artifact_id as string;
    expect(await next(people.second, last.approval)).toBe(beyond.approval);
    expect(await next(people.second, beyond.approval, { ...NO_FILTER, workflow })).toBe(last.approval);
    expect(await next(people.second, null, { ...NO_FILTER, workflow, due: 'week' })).toBeNull();
    expect(await next(people.second, last.approval, { ...NO_FILTER, workflow })).toBeNull();
    await vote(people.third, beyond.approval);
    const front = await next(people.second, last.approval);
    expect(front).not.toBeNull();
    expect([last.approval, beyond.approval]).not.toContain(front);
    expect(await next(people.second, null)).toBe(front);
    for (const member of [people.plain, people.author, people.initiator]) expect(await next(member, null)).toBeNull();
  });

  it('counts what this member may decide, and tells approvers', async () => {
    const count = (member: TestMember) =>
      test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, (db, roles) =>
        countPendingApprovals(db, { userId: member.id, roles }),
      );
    const before = await count(people.second);
    const { approval } = await makeApproval();
    await makeApproval({ dueInMs: -1 });
    expect(await count(people.second)).toBe(before + 1);
    expect(await count(people.plain)).toBe(0);
    expect(await count(people.author)).toBe(0);
    expect(await count(people.initiator)).toBe(0);
    const { rows } = await test.owner.query(
      `select user_id from quorate.notifications where kind = 'approval' and subject ->> 'key' = 'notifyApprovalWaiting' and subject #>> '{about,id}' = $1`,
      [approval],
    );
    expect(new Set(rows.map((row) => row.user_id))).toEqual(
      new Set([people.first, people.second, people.third, people.requester].map((member) => member.id)),
    );
    await vote(people.second, approval);
    expect(await count(people.second)).toBe(before);
  });

  it('shows a plain user no approval of others', async () => {
    const { approval } = await makeApproval();
    const joined = await test.makeUser();
    const sessionId = await test.makeSession(joined.id);
    await test.arrange(workspace.id, async (client) => {
      await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', 'Plain', $3)`, [
        workspace.id,
        joined.id,
        joined.email,
      ]);
    });
    const seen = await test.database.asMember({ userId: joined.id, sessionId, workspaceId: workspace.id }, (db) =>
      db.selectFrom('quorate.approvals').select('id').where('id', '=', approval).execute(),
    );
    expect(seen).toEqual([]);
  });
});
