/** The list of runs by its filters, against the same filters over all rows in memory; and its file. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import { loadRunCauses, loadRunList } from '#app/features/runs/list/load-run-list.server.ts';
import { NO_RUN_FILTER, type RunFilter, readRunFilter } from '#app/features/runs/list/run-filter.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let workflow: { artifactId: string; versionId: string };
const START = Date.parse('2026-10-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const RUNS = 120;

type Made = { id: string; status: string; trigger: string; error: string | null; cost: number | null; seconds: number; at: number };
const made: Made[] = Array.from({ length: RUNS }, (_, n) => ({
  id: newId(),
  status: n % 3 === 0 ? 'failed' : 'completed',
  trigger: n % 5 === 0 ? 'webhook' : 'manual',
  error: n % 3 !== 0 ? null : n % 4 === 0 ? 'peerTimeout' : 'policyFailed',
  cost: n % 4 === 0 ? null : n * 1_000,
  seconds: n,
  at: START + n * HOUR_MS,
}));
const newestFirst = made.toReversed();

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  workflow = await fixture.makeWorkflow(workspace, {});
  await test.arrange(workspace.id, async (client) => {
    for (const run of made)
      await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, status, error, cost_micros,
           created_at, started_at, finished_at, waiting_ms)
         values ($1, $2, $3, $4, 'live', $5, $6, $7, $8, $9, $10, $10, $10::timestamptz + $11 * interval '1 second' + interval '1 hour', 3600000)`,
        [
          run.id,
          workspace.id,
          workflow.artifactId,
          workflow.versionId,
          run.trigger,
          workspace.builder.id,
          run.status,
          run.error === null ? null : JSON.stringify({ key: run.error, values: {} }),
          run.cost,
          new Date(run.at),
          run.seconds,
        ],
      );
  });
});
afterAll(async () => {
  await fixture.close();
  await test.close();
});

const reading = <T>(work: (db: Db) => Promise<T>) => {
  const { id: userId, sessionId } = workspace.builder;
  return test.database.asMember({ userId, sessionId, workspaceId: workspace.id }, work, { readOnly: true });
};
const ask = (filter: Partial<RunFilter>, more: { before?: string | null; own?: string | null; limit?: number; searched?: number } = {}) =>
  reading((db) => loadRunList(db, { filter: { ...NO_RUN_FILTER, ...filter }, before: null, own: null, ...more }));

describe('the list of runs', () => {
  const day = (n: number) => new Date(START + n * 24 * HOUR_MS).toISOString().slice(0, 10);
  it.each<[string, Partial<RunFilter>, (run: Made) => boolean]>([
    ['by cause', { error: 'peerTimeout' }, (run) => run.error === 'peerTimeout'],
    ['by cost', { cost: '100000' }, (run) => (run.cost ?? 0) >= 100_000],
    ['by time without waiting', { seconds: '60' }, (run) => run.seconds >= 60],
    ['by what started it', { trigger: 'webhook' }, (run) => run.trigger === 'webhook'],
    ['by days, both included', { from: day(1), until: day(2) }, (run) => run.at >= START + 24 * HOUR_MS && run.at < START + 72 * HOUR_MS],
    [
      'by all at once',
      { trigger: 'webhook', status: 'failed', seconds: '10' },
      (run) => run.trigger === 'webhook' && run.status === 'failed' && run.seconds >= 10,
    ],
    ['by a cause that never was', { error: 'neverWas' }, () => false],
  ])('%s', async (_name, filter, isMeant) => {
    const { rows } = await ask(filter, { limit: RUNS });
    expect(rows.map(({ id }) => id)).toEqual(newestFirst.filter(isMeant).map(({ id }) => id));
  });

  it('comes page by page without a gap, also where a search stops halfway', async () => {
    const seen: string[] = [];
    let before: string | null = null;
    for (let page = 0; page < 30; page += 1) {
      const found: Awaited<ReturnType<typeof loadRunList>> = await ask({ trigger: 'webhook' }, { before, limit: 4, searched: 25 });
      seen.push(...found.rows.map(({ id }) => id));
      before = found.next ?? found.searchedTo;
      if (before === null) break;
    }
    expect(seen).toEqual(newestFirst.filter(({ trigger }) => trigger === 'webhook').map(({ id }) => id));
  });

  it('counts causes, the most frequent first', async () => {
    const causes = await reading((db) => loadRunCauses(db, workspace.id));
    expect(causes.map(({ key, runs }) => [key, runs])).toEqual(
      ['policyFailed', 'peerTimeout'].map((key) => [key, made.filter(({ error }) => error === key).length]),
    );
  });

  it.each(['status=odd', 'workflow=1', 'from=2026-02-30', 'from=2026-03-02&until=2026-03-01', 'seconds=11', 'version=x', "error=a'b"])(
    'refuses %s and keeps what was typed',
    (query) => {
      const { filter, valid } = readRunFilter(new URLSearchParams(query));
      expect(valid).toBe(false);
      for (const [name, value] of new URLSearchParams(query)) expect(filter[name as keyof RunFilter]).toBe(value);
    },
  );
});
