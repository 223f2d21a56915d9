import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { type CallPeer, PeerError, type PeerFailure } from '#app/engine/connections/peer.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let writer: string;
let reader: string;
let keyed: string;
let calls: Parameters<CallPeer>[0][] = [];
/** What the next calls come to; when there is none left, they succeed. */
let failures: PeerFailure[] = [];

const TIMED_OUT: PeerFailure = { key: 'peerTimeout', values: { seconds: 1 }, retryable: true, happened: 'unknown' };
const BROKEN: PeerFailure = { key: 'peerHttpStatus', values: { status: 503 }, retryable: true, happened: 'unknown' };
const REFUSED: PeerFailure = { key: 'peerUnreachable', values: {}, retryable: true, happened: 'no' };
const TOLD: PeerFailure = { key: 'peerToolError', values: { capability: 'pay', message: 'no funds' }, retryable: true };

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  writer = (await runs.makeCapability(workspace, { name: 'pay', writes: true })).slug;
  reader = (await runs.makeCapability(workspace, { name: 'pay' })).slug;
  const third = await runs.makeCapability(workspace, { name: 'pay', writes: true });
  keyed = third.slug;
  await database.arrange(workspace.id, async (client) => {
    await client.query('update quorate.connections set idempotent = true where id = $1', [third.connectionId]);
  });
  await runs.startWorker(async (call) => {
    calls.push(call);
    const failure = failures.shift();
    if (failure !== undefined) throw new PeerError(failure);
    return { output: { paid: true }, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
  failures = [];
});

const pay = (connection: string, part: { unknownOutcome?: string; onError?: string } = {}) => ({
  id: 'pay',
  name: 'Pay',
  kind: 'tool',
  connection,
  capability: 'pay',
  backoffSeconds: 0,
  input: { amount: '7' },
  ...part,
});
const startWith = async (...steps: object[]) => runs.start(workspace, await runs.makeWorkflow(workspace, { steps }));
const ended = (runId: string) => runs.until(runId, ['completed', 'failed', 'waiting']);

describe('a call that writes', () => {
  test.each([
    ['timed out', TIMED_OUT],
    ['answered 503', BROKEN],
    ['answered that it failed', TOLD],
  ])('is not made again when it %s', async (_, failure) => {
    failures = [failure];
    const runId = await startWith(pay(writer));
    expect(await ended(runId)).toMatchObject({ status: 'failed', error: { key: failure.key, step: 'pay' } });
    expect(calls).toHaveLength(1);
    const [step] = await runs.steps(runId);
    expect(step?.error.unknown).toBe(failure.happened === 'unknown' ? true : undefined);
  });

  test('is made again when the peer got nothing of it', async () => {
    failures = [REFUSED, REFUSED];
    expect(await ended(await startWith(pay(writer)))).toMatchObject({ status: 'completed' });
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['its definition says that repeating is harmless', () => pay(reader)],
    ['its connection honours the idempotency key', () => pay(keyed)],
    ['its step says so', () => pay(writer, { unknownOutcome: 'repeat' })],
  ])('is made again when %s', async (_, step) => {
    failures = [TIMED_OUT, BROKEN];
    expect(await ended(await startWith(step()))).toMatchObject({ status: 'completed' });
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map((call) => call.idempotencyKey)).size).toBe(1);
  });
});

describe('a call that is made at most once', () => {
  const once = () => pay(writer, { unknownOutcome: 'ask' });
  async function questionOf(runId: string) {
    const { rows } = await database.owner.query('select * from quorate.approvals where run_id = $1 order by created_at desc limit 1', [
      runId,
    ]);
    return rows[0];
  }
  async function answer(runId: string, vote: 'done' | 'again' | 'reject') {
    const question = await questionOf(runId);
    await runs.asMember(workspace, workspace.approver, async (db) => {
      const { enqueueRun } = runs;
      await voteApproval(db, { enqueueRun }, { approvalId: question.id, vote, reason: 'I looked', digest: question.action_digest });
      return { result: null, event: { action: 'approval.approved', resource: { kind: 'approval', id: question.id } } };
    });
  }

  test('waits for a person, who sees what is known', async () => {
    failures = [TIMED_OUT];
    const runId = await startWith(once());
    expect(await ended(runId)).toMatchObject({ status: 'waiting', claimed_by: null });
    const question = await questionOf(runId);
    expect(question).toMatchObject({ status: 'pending', subject_kind: 'outcome', requested_by: workspace.builder.id });
    expect(question.subject).toMatchObject({
      input: { amount: '7' },
      outcome: { attempt: 1, error: { key: 'peerTimeout', values: { seconds: 1 } }, idempotencyKey: `${runId}/pay` },
    });
    expect(isActionAsDigested(question.subject, question.action_digest)).toBe(true);
    // what the policy decided on is another action: the answer never releases it
    const { rows } = await database.owner.query('select action_digest from quorate.decisions where run_id = $1', [runId]);
    expect(rows.map((row) => row.action_digest)).not.toContain(question.action_digest);
    const { rows: told } = await database.owner.query('select user_id from quorate.notifications where once = $1', [
      `approval:${question.id}`,
    ]);
    expect(told).toContainEqual({ user_id: workspace.approver.id });
  });

  test('continues without a second call when it took effect', async () => {
    failures = [BROKEN];
    const runId = await startWith(once(), { id: 'after', name: 'After', kind: 'transform', expression: '="after"' });
    await ended(runId);
    await answer(runId, 'done');
    expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: 'after' });
    expect(calls).toHaveLength(1);
    const [step] = await runs.steps(runId);
    expect(step).toMatchObject({
      status: 'success',
      output: null,
      reason: { key: 'outcomeConfirmed', values: { name: workspace.approver.name } },
    });
    expect(await questionOf(runId)).toMatchObject({ status: 'consumed' });
  });

  test('is made again when it did not take effect, and asks again', async () => {
    failures = [TIMED_OUT, BROKEN];
    const runId = await startWith(once());
    await ended(runId);
    const first = await questionOf(runId);
    await answer(runId, 'again');
    await vi.waitFor(async () => expect((await questionOf(runId)).id).not.toBe(first.id), { timeout: 20_000 });
    await runs.until(runId, ['waiting']);
    await answer(runId, 'again');
    expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { paid: true } });
    expect(calls).toHaveLength(3);
  });

  test('fails its step when the person says so', async () => {
    failures = [TIMED_OUT];
    const runId = await startWith(once());
    await ended(runId);
    await answer(runId, 'reject');
    expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'approvalRejectedBecause' } });
    expect(calls).toHaveLength(1);
  });

  test('still repeats a call that the peer got nothing of', async () => {
    failures = [REFUSED];
    expect(await ended(await startWith(once()))).toMatchObject({ status: 'completed' });
    expect(calls).toHaveLength(2);
  });
});

test('nobody answers for an action with what belongs to an outcome', async () => {
  const ask = { id: 'ask', name: 'Ask', kind: 'approval', question: 'Send it?', show: {}, risk: 'low' };
  const runId = await startWith(ask);
  await ended(runId);
  const { rows } = await database.owner.query('select id, action_digest from quorate.approvals where run_id = $1', [runId]);
  const voting = runs.asMember(workspace, workspace.approver, async (db) => {
    await sql`select quorate.vote_approval(${rows[0].id}, 'done', '', ${rows[0].action_digest})`.execute(db);
    return { result: null, event: { action: 'approval.approved', resource: { kind: 'approval', id: rows[0].id } } };
  });
  await expect(voting).rejects.toMatchObject({ code: 'QV012' });
});

test('a step says which inputs it left out because their expression found nothing', async () => {
  const runId = await startWith({ ...pay(reader), input: { amount: '7', note: '=input.note', by: '=steps.none.name' } });
  expect(await ended(runId)).toMatchObject({ status: 'completed' });
  const [step] = await runs.steps(runId);
  expect(step).toMatchObject({ input: { amount: '7' }, reason: { values: { leftOut: 'by, note' } } });
});
