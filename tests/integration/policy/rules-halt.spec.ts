/** No step starts after the halt has committed, by whatever way work comes to a worker, at whatever moment. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { haltWorkspace } from '#app/engine/runs/halt-workspace.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { byChance } from '#tests/survival/support/kills.ts';

const ROUNDS = process.env.QUORATE_TEST_FULL ? 20 : 4;

let database: TestDatabase;
let runs: RunFixture;
let callFailure = 0;
const callsOf = new Map<string, number>();

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  for (let n = 0; n < 2; n += 1) await startWorker();
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

function startWorker() {
  return runs.startWorker(async ({ idempotencyKey }) => {
    const run = idempotencyKey.slice(0, 36);
    callsOf.set(run, (callsOf.get(run) ?? 0) + 1);
    await pause(5);
    // every third call fails at first: retries are under way at the halt
    callFailure += 1;
    if (callFailure % 3 === 0) throw new PeerError({ key: 'peerBusy', values: { status: 503 }, retryable: true });
    return { output: { done: true }, protocolVersion: '1' };
  });
}

async function vote(workspace: Workspace, id: string, digest: string): Promise<void> {
  await runs.asMember(workspace, workspace.approver, async (db) => ({
    result: await voteApproval(db, runs, { approvalId: id, vote: 'approve', reason: '', digest }),
    event: { action: 'approval.approved', resource: { kind: 'approval', id } },
  }));
}

/** All that a start leaves behind: read by the owner, in a session of its own. */
async function startsIn(
  workspace: Workspace,
): Promise<{ decisions: number; steps: number; attempts: number; asked: number; consumed: number }> {
  const { rows } = await database.owner.query(
    `select (select count(*)::int from quorate.decisions where workspace_id = $1) as decisions,
       (select count(*)::int from quorate.steps where workspace_id = $1) as steps,
       (select coalesce(sum(attempt), 0)::int from quorate.steps where workspace_id = $1 and kind = 'tool') as attempts,
       (select count(*)::int from quorate.approvals where workspace_id = $1) as asked,
       (select count(*)::int from quorate.approvals where workspace_id = $1 and status = 'consumed') as consumed`,
    [workspace.id],
  );
  return rows[0];
}

test(
  `${ROUNDS} halts at chance moments under load: what had started is all that ever starts, until the release`,
  { timeout: 300_000 },
  () =>
    byChance(async (chance) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const workspace = await runs.makeWorkspace();
        const { slug } = await runs.makeCapability(workspace, { name: 'echo' });
        const tool = (id: string) => ({
          id,
          name: id,
          kind: 'tool',
          connection: slug,
          capability: 'echo',
          input: { text: id },
          retries: 10,
          backoffSeconds: 0,
        });
        const local = (id: string) => ({ id, name: id, kind: 'transform', expression: '{ "at": run.id }' });
        const long = await runs.makeWorkflow(workspace, {
          steps: Array.from({ length: 12 }, (_, n) => [tool(`s${n}`), local(`t${n}`), local(`u${n}`)]).flat(),
        });
        const forked = await runs.makeWorkflow(workspace, {
          steps: [
            local('before'),
            {
              id: 'fork',
              name: 'Fork',
              kind: 'branch',
              mode: 'parallel',
              branches: ['left', 'right'].map((label) => ({ label, steps: [tool(`${label}1`), local(`${label}2`), tool(`${label}3`)] })),
            },
            local('after'),
          ],
        });
        const asking = await runs.makeWorkflow(workspace, {
          steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' }, ...[0, 1, 2].map((n) => tool(`s${n}`))],
        });
        const ids: string[] = [];
        const refused: string[] = [];
        let going = true;
        const starting = Promise.all(
          [long, forked, asking].map(async (workflow) => {
            while (going) {
              await runs.start(workspace, workflow).then(
                (id) => ids.push(id),
                (error) => refused.push(error.code),
              );
              await pause(15);
            }
          }),
        );
        const voting = (async () => {
          while (going) {
            const { rows } = await database.owner.query(
              `select id, action_digest from quorate.approvals where workspace_id = $1 and status = 'pending' limit 3`,
              [workspace.id],
            );
            for (const row of rows) await vote(workspace, row.id, row.action_digest);
            await pause(10);
          }
        })();
        await expect.poll(async () => (await startsIn(workspace)).decisions, { interval: 5, timeout: 60_000 }).toBeGreaterThan(5);
        await pause(chance.between(0, 300));

        const atHalt = await runs.asMember(workspace, workspace.admin, async (db) => {
          const event = await haltWorkspace(db, { workspaceId: workspace.id, memberId: workspace.admin.id, now: new Date() });
          // whoever was starting has committed, and nobody else can: this is exactly what stands when the halt commits
          return { result: await startsIn(workspace), event };
        });
        // by every way: new runs, votes, a worker that starts now, jobs sent again
        const woken = [...ids];
        await runs.queue.send(woken.map((runId) => ({ runId, workspaceId: workspace.id })));
        const late = await startWorker();
        await expect.poll(() => refused.filter((code) => code === 'halted').length, { timeout: 60_000 }).toBeGreaterThan(3);
        await expect
          .poll(
            async () =>
              (
                await database.owner.query(
                  `select count(*)::int as n from quorate.runs where workspace_id = $1 and status = 'processing'`,
                  [workspace.id],
                )
              ).rows[0].n,
            { timeout: 60_000 },
          )
          .toBe(0);
        going = false;
        await Promise.all([starting, voting]);
        expect(new Set(refused)).toEqual(new Set(['halted']));
        expect(await startsIn(workspace)).toEqual(atHalt);
        const calls = ids.reduce((sum, id) => sum + (callsOf.get(id) ?? 0), 0);
        expect(calls).toBe(atHalt.attempts);

        await runs.lift(workspace);
        await expect
          .poll(
            async () => {
              const { rows } = await database.owner.query(
                `select id, action_digest from quorate.approvals where workspace_id = $1 and status = 'pending'`,
                [workspace.id],
              );
              for (const row of rows) await vote(workspace, row.id, row.action_digest);
              const left = await database.owner.query(
                `select count(*)::int as n from quorate.runs where workspace_id = $1 and status <> 'completed'`,
                [workspace.id],
              );
              return left.rows[0].n;
            },
            { interval: 50, timeout: 60_000 },
          )
          .toBe(0);
        await late.stop();
      }
    }),
);
