/** Workers in processes of their own, which tests kill, and a peer that writes down what they call. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { planFork } from '#app/domain/runs/run-fork.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { killCount } from '#tests/survival/support/kills.ts';

/** Each costs the start of a worker. */
export const KILLS = killCount(1);
const WORKER = fileURLToPath(new URL('../../support/worker-process.ts', import.meta.url));

export type KilledWorkers = {
  database: TestDatabase;
  runs: RunFixture;
  workspace: Workspace;
  /** How long the peer takes for an answer; each test sets its own. */
  peerMs: number;
  /** Calls that the peer refuses for good, by key. */
  refuses(key: string): boolean;
  /** What it answers otherwise. */
  answers(input: { [name: string]: Json }): Json;
  /** Every call that reached the peer: when it began, and under which key. */
  calls: { key: string; at: number }[];
  /** Those that live, the oldest first. */
  workers: ChildProcess[];
  spawnWorker(): Promise<ChildProcess>;
  kill(worker: ChildProcess): Promise<void>;
  killAll(): Promise<void>;
  /** A step that calls the peer. */
  tool(id: string): { id: string; name: string; kind: string; connection: string; capability: string; input: { text: string } };
  /** Kills the oldest worker and starts another, each time after a few more calls, until there were as many. Each costs the start of a worker. */
  killWhileCalled(enough: number, kills?: number): Promise<void>;
  /** Calls, from this one on, of steps that had ended. */
  repeatedAfterEnd(rows: { key: string; finished_at: Date }[], before: number): { key: string; at: number }[];
  /** Starts a run that continues an ended one from this step. */
  retry(runId: string, workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>, path: string): Promise<string>;
  close(): Promise<void>;
};

export async function startKilledWorkers(): Promise<KilledWorkers> {
  const database = await createTestDatabase();
  const runs = await createRunFixture(database);
  const workspace = await runs.makeWorkspace();
  const { slug } = await runs.makeCapability(workspace, { name: 'echo' });
  const peer = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    world.calls.push({ key, at: Date.now() });
    void json(request).then((input) =>
      setTimeout(
        () => response.writeHead(world.refuses(key) ? 422 : 200).end(JSON.stringify(world.answers(input as { [name: string]: Json }))),
        world.peerMs,
      ),
    );
  }).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const settings = { login: database.appLogin, peer: `http://127.0.0.1:${(peer.address() as AddressInfo).port}` };

  async function spawnWorker(): Promise<ChildProcess> {
    const child = fork(WORKER, {
      env: { ...process.env, WORKER_SETTINGS: JSON.stringify(settings) },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    world.workers.push(child);
    await once(child, 'message');
    return child;
  }
  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  const world: KilledWorkers = {
    database,
    runs,
    workspace,
    peerMs: 50,
    refuses: () => false,
    answers: () => ({ ok: true }),
    calls: [],
    workers: [],
    spawnWorker,
    kill,
    async killAll() {
      await Promise.all(world.workers.splice(0).map(kill));
    },
    tool: (id) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text: id } }),
    async killWhileCalled(enough, kills = KILLS) {
      for (let n = 0; n < kills; n += 1) {
        const seen = world.calls.length;
        await expect.poll(() => world.calls.length > seen + 3 || world.calls.length >= enough, { timeout: 60_000 }).toBe(true);
        const [oldest] = world.workers.splice(0, 1);
        if (oldest !== undefined) await kill(oldest);
        await spawnWorker();
      }
    },
    repeatedAfterEnd(rows, before) {
      const endedAt = new Map(rows.map((row) => [row.key, row.finished_at.getTime()]));
      return world.calls.slice(before).filter((call) => call.at > (endedAt.get(call.key) ?? Number.POSITIVE_INFINITY) + 5);
    },
    async retry(runId, workflow, path) {
      const statuses = new Map((await runs.steps(runId)).map((step) => [step.path, step.status]));
      const plan = planFork(workflow.document, statuses, path);
      if (plan === null) throw new Error('the run never came to the step');
      return runs.start(workspace, workflow, (await runs.run(runId)).input, null, { runId, path, plan });
    },
    async close() {
      peer.close();
      peer.closeAllConnections();
      await runs.close();
      await database.close();
    },
  };
  return world;
}
