/** Figures, routes and decisions as their screens tell them: true to their definitions, to the roles, and to a large past. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { type data, RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PanelData } from '#app/components/page/panel-data.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import type { EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';
import type { Figures } from '#app/domain/runs/figures.ts';
import { type TimeWindow, windowOf } from '#app/domain/runs/time-window.ts';
import { askForEvidence } from '#app/engine/commands/evidence/ask-for-evidence.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { readFigures } from '#app/engine/figures/read-figures.ts';
import { readSuggestionEvidence } from '#app/engine/figures/read-suggestion-evidence.ts';
import { loadAgent } from '#app/features/agents/load-agent.server.ts';
import { downloadTable } from '#app/features/analytics/download-table.server.ts';
import { loadAdvancedAnalytics, loadBasicAnalytics } from '#app/features/analytics/load-analytics.server.ts';
import { loadMonitoring } from '#app/features/monitoring/load-monitoring.server.ts';
import { loadDecision } from '#app/features/reasoning/load-decision.server.ts';
import { downloadDecisions, loadDecisions } from '#app/features/reasoning/load-decisions.server.ts';
import { loadProcessIntelligence, loadProcessOptimization } from '#app/features/reasoning/load-process.server.ts';
import { loadRouting } from '#app/features/reasoning/load-routing.server.ts';
import { loadRun } from '#app/features/runs/load-run.server.ts';
import { walkList } from '#tests/integration/lists/walk-list.ts';
import { askedOf, openControlDesk } from '#tests/integration/support/control-desk.ts';
import { insertHistory, insertLog } from '#tests/integration/support/run-history.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
let test: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let plain: TestMember;
let workflow: { artifactId: string; versionId: string };

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createRunFixture(test);
  workspace = await fixture.makeWorkspace();
  plain = await join(workspace, ['user']);
  const tool = await fixture.makeCapability(workspace, { name: 'detect_personal_data' });
  const agent = await fixture.makeCapability(workspace, { name: 'assess_obligations', kind: 'skill' });
  workflow = await fixture.makeWorkflow(workspace, { manualMinutes: 20 });
  const past = { workspaceId: workspace.id, ...workflow, tool, agent, days: 360, until: NOW };
  await test.arrange(workspace.id, (client) => insertHistory(client, { ...past, initiatorId: workspace.builder.id, runs: 7_000 }));
  await insertLog(test.owner, { ...past, people: [workspace.builder.id, workspace.admin.id, plain.id], entries: 15_000 });
  await test.owner.query('analyze quorate.runs, quorate.steps, quorate.decisions, quorate.audit_events');
});
afterAll(async () => {
  await fixture.close();
  await test.close();
});

async function join(to: TestWorkspace, roles: TestMember['roles']): Promise<TestMember> {
  const user = await test.makeUser();
  const member = { ...user, roles, sessionId: await test.makeSession(user.id) };
  await test.arrange(to.id, async (client) => {
    await client.query('insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, $3, $4, $5)', [
      to.id,
      user.id,
      roles,
      user.name,
      user.email,
    ]);
  });
  return member;
}

function contextOf(member: TestMember, within: TestWorkspace = workspace) {
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: within.id };
  const context = new RouterContextProvider();
  context.set(memberContext, {
    member: {
      ...who,
      email: member.email,
      name: member.name,
      roles: member.roles,
      workspace: { ...within, haltedAt: null, isDemo: false },
    },
    read: (work) =>
      test.database.asMember(
        who,
        async (db) => {
          const found = await work(db);
          // What this connection counted is told at once, so that scans of the whole can be seen.
          await sql`select pg_stat_force_next_flush()`.execute(db);
          return found;
        },
        { readOnly: true },
      ),
    change: (work) => fixture.asMember(workspace, member, work),
  });
  context.set(servicesContext, { now: () => NOW } as unknown as Services);
  return context;
}
const at = (path: string) => new URL(`http://x${path}`);
/** As a browser asks that runs no scripts. */
const asked = (path: string, context: RouterContextProvider) => ({ request: new Request(at(path)), url: at(path), context });
/** What stands below the fold, once it is there. */
async function below<T>(panel: PanelData<T> | Promise<PanelData<T>>): Promise<T> {
  const loaded = await panel;
  return loaded.ok ? loaded.value : expect.fail(`the panel failed: ${loaded.reference}`);
}
const dataOf = async <T>(answer: Promise<ReturnType<typeof data<T>>>) => (await answer).data;

describe('agents', () => {
  it('are told page by page, each once, with what was asked of it', async () => {
    const own = await fixture.makeWorkspace();
    const { versionId, artifactId } = await fixture.makeWorkflow(own, {});
    const asked = await fixture.makeCapability(own, { name: 'assess_obligations', kind: 'skill' });
    const tool = await fixture.makeCapability(own, { name: 'detect_personal_data' });
    const past = { workspaceId: own.id, versionId, artifactId, tool, agent: asked, days: 1, until: NOW };
    await test.arrange(own.id, (client) => insertHistory(client, { ...past, initiatorId: own.builder.id, runs: 20 }));
    for (let n = 0; n < 50; n += 1) await fixture.makeCapability(own, { name: 'other', kind: 'skill' });
    const open = (query: string) =>
      dataOf(loadMonitoring({ url: at(`/dashboard/agents/monitoring?window=7d${query}`), context: contextOf(own.builder, own) }));
    const first = await open('');
    const second = await open(`&after=${encodeURIComponent(first.next ?? '')}`);
    const agents = [...first.agents, ...second.agents];
    expect([first.agents.length, second.agents.length, second.next]).toEqual([50, 1, null]);
    expect(new Set(agents.map(({ id }) => id)).size).toBe(51);
    expect(agents.filter(({ calls }) => calls > 0)).toMatchObject([{ id: asked.connectionId, kind: 'remote', presence: 'idle' }]);
  });
});

describe('an agent that waits for a person', () => {
  const AGENT_MS = 120_000;
  const PERSON_MS = 1_800_000;

  /** A run of an agent: a turn of a minute, half an hour until its call is approved, the call and a turn of half a minute each. */
  async function waited(own: Workspace, ended: boolean) {
    const { versionId, artifactId } = await fixture.makeWorkflow(own, {});
    const agent = newId();
    const [run, approval] = [newId(), newId()];
    const moment = (seconds: number) => new Date(NOW.getTime() - 2 * HOUR_MS + seconds * 1_000);
    await test.arrange(own.id, async (client) => {
      await client.query(
        "insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'agent', 'Clerk', $3, 'active')",
        [agent, own.id, own.builder.id],
      );
      await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, started_at, finished_at, waiting_ms)
         values ($1, $2, $3, $4, 'live', $5, $6, $7, $7, $8, $9)`,
        [
          run,
          own.id,
          artifactId,
          versionId,
          own.builder.id,
          ended ? 'completed' : 'waiting',
          moment(0),
          ended ? moment(1_920) : null,
          ended ? PERSON_MS : 0,
        ],
      );
      await client.query(
        `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, status, created_at, decided_at, due_at)
         values ($1, $2, $3, 'clerk/turn_1_call_1', 'Pay', '{}', 'd', '{}', 'low', $4, $4, $5, $6::timestamptz, $7, $6::timestamptz + interval '1 day')`,
        [approval, own.id, run, own.builder.id, ended ? 'consumed' : 'pending', moment(60), ended ? moment(1_860) : null],
      );
      const step = (
        path: string,
        kind: string,
        status: string,
        from: number,
        until: number | null,
        more: { approval?: string; agent?: string } = {},
      ) =>
        client.query(
          `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, started_at, finished_at, approval_id, agent_id)
           values ($1, $2, $3, $3, $4, $3, $5, 1, 1, $3, $6, $7, $8, $9)`,
          [run, own.id, path, kind, status, moment(from), until === null ? null : moment(until), more.approval ?? null, more.agent ?? null],
        );
      await step('clerk', 'agent', ended ? 'success' : 'processing', 0, ended ? 1_920 : null, { agent });
      await step('clerk/turn_1', 'model', 'success', 0, 60);
      await step('clerk/turn_1_call_1', 'tool', ended ? 'success' : 'waiting', 60, ended ? 1_890 : null, { approval });
      if (ended) await step('clerk/turn_2', 'model', 'success', 1_890, 1_920);
    });
    return { agent, run };
  }

  it('has worked as long as it worked, counted once', async () => {
    const own = await fixture.makeWorkspace();
    await waited(own, true);
    const context = contextOf(own.builder, own);
    const process = await dataOf(loadProcessIntelligence({ url: at('/?window=24h'), context }));
    expect(process.totals.now).toMatchObject({ activeMs: AGENT_MS, waitingMs: PERSON_MS });
    const steps = new Map(process.steps.map((step) => [step.path, step]));
    expect(steps.get('clerk')).toMatchObject({ medianMs: AGENT_MS, activeMs: 0, waitingMs: 0 });
    expect(steps.get('clerk/turn_1_call_1')).toMatchObject({ medianMs: 30_000, activeMs: 30_000, waitingMs: PERSON_MS });
    const { agents } = await dataOf(loadMonitoring({ url: at('/dashboard/agents/monitoring?window=24h'), context }));
    expect(agents.find(({ name }) => name === 'Clerk')).toMatchObject({ calls: 1, medianMs: AGENT_MS });
  });

  it('waits in every list while its run waits, and is not busy', async () => {
    const own = await fixture.makeWorkspace();
    const { agent, run } = await waited(own, false);
    const context = contextOf(own.approver, own);
    const page = await loadAgent({ params: { agent }, context });
    expect(page.runs).toMatchObject([{ id: run, status: 'waiting' }]);
    expect(page.presence).not.toBe('processing');
    const { agents } = await dataOf(loadMonitoring({ url: at('/dashboard/agents/monitoring?window=24h'), context }));
    expect(agents.find(({ name }) => name === 'Clerk')).toMatchObject({ presence: 'offline' });
    const shown = await context.get(memberContext).read((db) => loadRun(db, run));
    expect(shown.steps.map(({ path, status }) => [path, status])).toEqual([
      ['clerk', 'waiting'],
      ['clerk/turn_1', 'success'],
      ['clerk/turn_1_call_1', 'waiting'],
    ]);
  });
});

describe('figures', () => {
  const status = fc.constantFrom('completed', 'failed', 'cancelled', 'processing', 'waiting');
  const journal = fc.array(
    fc.record({
      // up to two windows and a half back, so that runs fall into the window, into the one before, and out of both
      hoursAgo: fc.integer({ min: 0, max: 59 }),
      activeMs: fc.integer({ min: 0, max: 90_000 }),
      waitingMs: fc.integer({ min: 0, max: 600_000 }),
      mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
      status,
    }),
    { maxLength: 25 },
  );

  it('hold their definitions on any journal', async () => {
    await fc.assert(
      fc.asyncProperty(journal, fc.constantFrom(0, 3), async (runs, manualMinutes) => {
        const own = await fixture.makeWorkspace();
        const made = await fixture.makeWorkflow(own, { manualMinutes });
        await test.arrange(own.id, async (client) => {
          for (const run of runs) {
            const created = new Date(NOW.getTime() - run.hoursAgo * HOUR_MS - 1);
            const ended = ['completed', 'failed', 'cancelled'].includes(run.status);
            await client.query(
              `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, started_at, finished_at, waiting_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)`,
              [
                newId(),
                own.id,
                made.artifactId,
                made.versionId,
                run.mode,
                own.builder.id,
                run.status,
                created,
                ended ? new Date(created.getTime() + run.activeMs + run.waitingMs) : null,
                run.waitingMs,
              ],
            );
          }
        });
        const { now, before } = await test.database.asMember(
          { userId: own.admin.id, sessionId: own.admin.sessionId, workspaceId: own.id },
          (db) => readFigures(db, { workspaceId: own.id, own: null }, windowOf('24h', NOW)),
        );
        const live = (from: number, until: number) =>
          runs.filter((run) => run.mode === 'live' && run.hoursAgo >= from && run.hoursAgo < until);
        expectFigures(now, live(0, 24), live(24, 48).length, manualMinutes);
        expectFigures(before, live(24, 48), live(48, 72).length, manualMinutes);
      }),
      { numRuns: 12 },
    );
  });

  type Run = { activeMs: number; waitingMs: number; status: string };
  function expectFigures(figures: Figures, runs: readonly Run[], startedBefore: number, manualMinutes: number) {
    const completed = runs.filter((run) => run.status === 'completed');
    const failed = runs.filter((run) => run.status === 'failed').length;
    const active = completed.reduce((sum, run) => sum + run.activeMs, 0);
    const near = (value: number | null, expected: number | null) =>
      expected === null ? expect(value).toBeNull() : expect(value).toBeCloseTo(expected, 6);
    expect(figures).toMatchObject({ started: runs.length, completed: completed.length, failed });
    near(figures.executionRate, runs.length / 24);
    near(figures.responseMs, completed.length === 0 ? null : active / completed.length);
    near(figures.errorRate, completed.length + failed === 0 ? null : failed / (completed.length + failed));
    near(figures.successRate, completed.length + failed === 0 ? null : completed.length / (completed.length + failed));
    near(figures.growthRate, startedBefore === 0 ? null : (runs.length - startedBefore) / startedBefore);
    const manual = manualMinutes * 60_000 * completed.length;
    near(figures.efficiencyGain, manual === 0 ? null : (manual - active) / manual);
  }

  it('count people once, whatever they did, and only those of the window', async () => {
    const own = await fixture.makeWorkspace();
    const event = (client: { query(text: string, values: unknown[]): Promise<unknown> }, actor: string | null, kind: string, when: Date) =>
      client.query(
        `insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, at, xid) values ($1, $2, $3, $4, 'test.arranged', 'workspace', 'w', $5, $6)`,
        [newId(), own.id, kind, actor, when, String(2_000_000_000_000 + Math.floor(Math.random() * 1e9))],
      );
    await test.owner.query('alter table quorate.audit_events disable trigger audited');
    const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
    for (const hours of [1, 2, 3]) await event(test.owner, own.builder.id, 'member', ago(hours));
    await event(test.owner, own.admin.id, 'member', ago(30));
    await event(test.owner, newId(), 'trigger', ago(1));
    await event(test.owner, null, 'worker', ago(1));
    await test.owner.query('alter table quorate.audit_events enable trigger audited');
    const { now, before } = await test.database.asMember(
      { userId: own.approver.id, sessionId: own.approver.sessionId, workspaceId: own.id },
      (db) => readFigures(db, { workspaceId: own.id, own: null }, windowOf('24h', NOW)),
    );
    expect([now.activeUsers, before.activeUsers]).toEqual([1, 1]);
  });

  it('are of one’s own runs for a plain user, who is told nothing of others', async () => {
    const loaded = await dataOf(loadBasicAnalytics(asked('/?window=30d', contextOf(plain))));
    expect(loaded).toMatchObject({ seesAll: false, figures: { now: { started: 0, activeUsers: null } } });
    expect(await below(loaded.below)).toMatchObject({ workflows: [], steps: [] });
    await expect(
      test.database.asMember({ userId: plain.id, sessionId: plain.sessionId, workspaceId: workspace.id }, (db) =>
        sql`select quorate.count_active_users(${workspace.id}, now(), now())`.execute(db),
      ),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each(['?from=2026-02-02&until=2026-02-01', '?until=soon', '?window=3d'])('give %s back with 400', async (query) => {
    const answer = await loadBasicAnalytics(asked(`/${query}`, contextOf(workspace.builder)));
    expect(answer.init?.status).toBe(400);
    expect(answer.data.window.valid).toBe(false);
  });

  it('leave as CSV that a spreadsheet reads', async () => {
    const answer = await downloadTable({ url: at('/?table=workflows&window=30d'), context: contextOf(workspace.builder) });
    expect(answer.headers.get('Content-Disposition')).toContain('quorate-workflows-2026-10-21-2026-11-20.csv');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, row] = new TextDecoder().decode(bytes).split('\r\n');
    expect(header).toMatch(/^workflow_id,workflow,started/);
    expect(row).toContain(`${workflow.artifactId},Test workflow,`);
    await expect(downloadTable({ url: at('/?table=passwords'), context: contextOf(workspace.builder) })).rejects.toMatchObject({
      init: { status: 404 },
    });
  });
});

describe('cost', () => {
  it('is told by window, model, step, workflow and time, beside what it was before, and says what has no price', async () => {
    const own = await fixture.makeWorkspace();
    const made = await fixture.makeWorkflow(own, {});
    const model = await fixture.makeCapability(own, { name: 'small-model' });
    const add = (
      hoursAgo: number,
      mode: string,
      steps: readonly [path: string, tokensIn: number, tokensOut: number, micros: number | null][],
    ) =>
      test.arrange(own.id, async (client) => {
        const run = newId();
        const started = new Date(NOW.getTime() - hoursAgo * HOUR_MS);
        const ended = new Date(started.getTime() + 2_000);
        const known = steps.flatMap(([, , , micros]) => micros ?? []);
        await client.query(
          `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, started_at, finished_at, tokens_in, tokens_out, cost_micros)
           values ($1, $2, $3, $4, $5, $6, 'completed', $7, $7, $8, $9, $10, $11)`,
          [
            ...[run, own.id, made.artifactId, made.versionId, mode, own.builder.id, started, ended],
            ...[steps.reduce((sum, step) => sum + step[1], 0), steps.reduce((sum, step) => sum + step[2], 0)],
            known.length === 0 ? null : known.reduce((sum, micros) => sum + micros, 0),
          ],
        );
        for (const [path, tokensIn, tokensOut, micros] of steps)
          await client.query(
            `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, connection_id, capability_id, started_at, finished_at, tokens_in, tokens_out, cost_micros)
             values ($1, $2, $3, $3, 'model', $3, 'success', 1, 1, $4, $5, $6, $7, $8, $9, $10, $11)`,
            [run, own.id, path, run + path, model.connectionId, model.capabilityId, started, ended, tokensIn, tokensOut, micros],
          );
      });
    await add(1, 'live', [
      ['summary', 1_000, 200, 2_500],
      ['draft', 500, 100, null],
    ]);
    await add(2, 'live', [['summary', 1_000, 300, 3_000]]);
    await add(3, 'test', [['summary', 9_000, 9_000, 90_000]]);
    await add(30, 'live', [['summary', 100, 10, 250]]);
    const context = contextOf(own.builder, own);

    const advanced = await below((await dataOf(loadAdvancedAnalytics(asked('/?window=24h', context)))).below);
    expect(advanced.cost.now).toEqual({
      ...{ activeMs: 6_000, waitingMs: 0, calls: 3, unpriced: 1 },
      tokensIn: 2_500,
      tokensOut: 600,
      costMicros: 5_500,
    });
    expect(advanced.cost.before).toMatchObject({ costMicros: 250, tokensIn: 100, unpriced: 0 });
    expect(advanced.models).toMatchObject([{ calls: 3, tokensIn: 2_500, tokensOut: 600, costMicros: 5_500, unpriced: 1 }]);
    expect(advanced.series.reduce((sum, point) => sum + point.costMicros, 0)).toBe(5_500);

    const basic = await below((await dataOf(loadBasicAnalytics(asked('/?window=24h', context)))).below);
    expect(basic.cost).toEqual(advanced.cost);
    expect(basic.workflows).toMatchObject([{ id: made.artifactId, costMicros: 5_500 }]);
    expect(Object.fromEntries(basic.steps.map((step) => [step.path, step.costMicros]))).toEqual({ summary: 5_500, draft: null });

    const process = await dataOf(loadProcessIntelligence({ url: at('/?window=24h'), context }));
    expect(process.totals).toEqual(advanced.cost);
    const nothing = await dataOf(loadProcessIntelligence({ url: at(`/?window=24h&workflow=${newId()}`), context }));
    expect(nothing.totals.now).toMatchObject({ costMicros: 0, calls: 0 });

    const csv = await (await downloadTable({ url: at('/?window=24h&table=models'), context })).text();
    const [header, row] = csv.replace('\uFEFF', '').split('\r\n');
    expect(header).toBe('model_id,model,connection,calls,tokens_in,tokens_out,cost_micro_usd,calls_without_price');
    expect(row).toMatch(/,3,2500,600,5500,1$/);
    const steps = await (await downloadTable({ url: at('/?window=24h&table=steps'), context })).text();
    expect(steps).toMatch(/,2000,500,5500\r?\n/);
    const stepsOf = async (id: string) => (await downloadTable({ url: at(`/?window=24h&table=steps&workflow=${id}`), context })).text();
    expect(await stepsOf(made.artifactId)).toBe(steps);
    expect((await stepsOf(newId())).trim().split('\r\n')).toHaveLength(1);
    await expect(stepsOf('all')).rejects.toMatchObject({ init: { status: 400 } });
    // another member sees the cost of their own runs alone
    const reader = await join(own, ['user']);
    const theirs = await below((await dataOf(loadAdvancedAnalytics(asked('/?window=24h', contextOf(reader, own))))).below);
    expect(theirs.cost.now).toMatchObject({ costMicros: 0, tokensIn: 0 });
  });
});

describe('AI Reasoning', () => {
  it('shows what was routed, a page at a time, without a gap', async () => {
    const first = await dataOf(loadRouting({ url: at('/'), context: contextOf(workspace.builder) }));
    expect(first.recent).toHaveLength(20);
    expect(first.recent[0]?.candidates.map((candidate) => candidate.score)).toEqual([0.82, 0.41, null]);
    const second = await dataOf(loadRouting({ url: at(`/?before=${first.next}`), context: contextOf(workspace.builder) }));
    const keys = [...first.recent, ...second.recent].map((step) => `${step.runId}:${step.path}`);
    expect(new Set(keys).size).toBe(40);
    const times = [...first.recent, ...second.recent].map((step) => step.at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('routes a task by hand as the engine would, calls nothing and changes nothing', async () => {
    const counts = async () => (await test.owner.query('select count(*) from quorate.audit_events')).rows[0];
    const before = await counts();
    const url = at('/?task=Detect+personal+data&step=tool&inputs=text');
    const { routed } = await dataOf(loadRouting({ url, context: contextOf(plain) }));
    expect(routed?.candidates[0]).toMatchObject({ name: 'detect_personal_data', chosen: true });
    expect(routed?.tookMs).toBeGreaterThan(0);
    expect(await counts()).toEqual(before);
  });

  it.each(['?task=', `?task=${'x'.repeat(600)}`, '?task=x&inputs=a%00b'])('gives %s back with 400', async (query) => {
    const answer = await loadRouting({ url: at(`/${query}`), context: contextOf(workspace.builder) });
    expect(answer.init?.status).toBe(400);
    expect(answer.data.routed).toBeNull();
  });

  it('suggests from what was seen', async () => {
    const { suggestions } = await dataOf(loadProcessOptimization({ url: at('/?window=90d'), context: contextOf(workspace.builder) }));
    expect(suggestions).toMatchObject([
      { kind: 'retried', path: 'assess' },
      { kind: 'retried', path: 'detect' },
    ]);
  });

  it('takes the steps of a loop together, whichever item they ran for, and calls none of them unused', async () => {
    const looping = await fixture.makeWorkspace();
    const item = { id: 'check', name: 'Check', kind: 'transform', expression: '=item' };
    const inner = {
      id: 'again',
      name: 'Again',
      kind: 'repeat',
      until: '=index = 1',
      branches: [{ label: 'round', steps: [{ ...item, id: 'try_it' }] }],
    };
    const each = { id: 'lines', name: 'Lines', kind: 'for_each', items: '=[1..30]', branches: [{ label: 'each', steps: [item, inner] }] };
    const worker = await fixture.startWorker(async () => ({ output: {}, protocolVersion: '1' }));
    const started = await fixture.makeWorkflow(looping, { steps: [each] });
    await fixture.until(await fixture.start(looping, started), ['completed']);
    await worker.stop();
    const read = <Answer>(ask: (db: Db) => Promise<Answer>) =>
      test.database.asMember({ userId: looping.admin.id, sessionId: looping.admin.sessionId, workspaceId: looping.id }, (db) => ask(db));
    const window = { from: new Date(Date.now() - HOUR_MS), until: new Date(Date.now() + HOUR_MS) };
    const evidence = await readSuggestionEvidence(read, { workspaceId: looping.id, own: null }, window as TimeWindow);
    expect(evidence.unused).toEqual([]);
    expect(evidence.steps.map(({ path, count }) => [path, count]).sort()).toEqual([
      ['lines', 1],
      ['lines/*/again', 30],
      ['lines/*/again/*/try_it', 60],
      ['lines/*/check', 30],
    ]);
    // The time of the loop is that of what is in it.
    expect(evidence.steps.find(({ path }) => path === 'lines')?.activeMs).toBe(0);
  });
});

/** What the approver of the workspace has agreed that its admin takes out. */
async function agreeToExport(exported: EvidenceExport): Promise<void> {
  const desk = openControlDesk(test, fixture, workspace);
  const asked = await perform(askForEvidence, desk.as(workspace.admin), desk.deps(), { export: exported, reason: 'Read together' });
  await desk.vote(workspace.approver, askedOf(asked));
}

describe('decisions', () => {
  const list = (query: string, member = workspace.builder) => dataOf(loadDecisions({ url: at(`/${query}`), context: contextOf(member) }));

  it('are found by verdict, policy, workflow and window, and paged', async () => {
    const first = await list('?window=90d&verdict=deny');
    expect(first.rows).toHaveLength(50);
    expect(new Set(first.rows.map((row) => row.verdict))).toEqual(new Set(['deny']));
    const denied = await walkList(
      async (params) => {
        const { rows, list: page } = await list(`?${params}`);
        return { rows, next: page.next };
      },
      { window: '90d', verdict: 'deny' },
    );
    const ids = denied.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
    await agreeToExport({ kind: 'table', list: 'decisions', filter: 'window=90d&verdict=deny' });
    const file = await downloadDecisions(contextOf(workspace.admin), at('/?window=90d&verdict=deny'));
    const [head, ...lines] = (await file.text()).trim().split('\r\n');
    expect(head).toContain('decision_id,decided_at,verdict');
    expect(lines.map((line) => line.split(',')[0])).toEqual(ids);
    expect((await list(`?policy=${workflow.artifactId}`)).rows.every((row) => row.rules.length === 1)).toBe(true);
    expect((await list(`?workflow=${newId()}`)).rows).toEqual([]);
    expect((await list('?from=2020-01-01&until=2020-01-02')).rows).toEqual([]);
  });

  it('are told one by one, with the way to them, and to nobody else', async () => {
    const [row] = (await list('?window=90d&verdict=deny')).rows;
    const decision = await loadDecision({ params: { decision: row?.id ?? '' }, context: contextOf(workspace.builder) });
    expect(decision.path.map((step) => [step.reached, step.answer])).toEqual([
      [true, 'yes'],
      [false, 'no'],
      [false, 'no'],
    ]);
    expect(decision).toMatchObject({ seesLog: false, closingEventId: null, run: { closed: true }, step: { status: 'error' } });
    const elsewhere = await fixture.makeWorkspace();
    for (const context of [contextOf(plain), contextOf(elsewhere.admin, elsewhere)])
      await expect(loadDecision({ params: { decision: row?.id ?? '' }, context })).rejects.toMatchObject({ init: { status: 404 } });
  });
});

describe('a large past', () => {
  const TABLES = ['runs', 'steps', 'decisions', 'audit_events'];
  async function scans(): Promise<number> {
    const { rows } = await test.owner.query(
      `select coalesce(sum(seq_scan), 0)::int as scans from pg_stat_user_tables where schemaname = 'quorate' and relname = any ($1)`,
      [TABLES],
    );
    return rows[0].scans;
  }

  it('is never read from end to end', async () => {
    const context = contextOf(workspace.builder);
    const screens: [string, () => Promise<unknown>][] = [
      ['basic', () => loadBasicAnalytics(asked('/?window=30d', context))],
      ['advanced', () => loadAdvancedAnalytics(asked('/?window=30d', context))],
      ['routing', () => loadRouting({ url: at('/?task=Detect+personal+data'), context })],
      ['decisions', () => loadDecisions({ url: at('/?window=30d'), context })],
      ['denied', () => loadDecisions({ url: at('/?window=30d&verdict=deny'), context })],
      ['decisions of a workflow', () => loadDecisions({ url: at(`/?window=30d&workflow=${workflow.artifactId}`), context })],
      ['intelligence', () => loadProcessIntelligence({ url: at('/?window=30d'), context })],
      ['optimization', () => loadProcessOptimization({ url: at('/?window=30d'), context })],
      ...['time', 'workflows', 'agents', 'models', 'steps', 'errors'].map((table): [string, () => Promise<unknown>] => [
        table,
        () => downloadTable({ url: at(`/?window=30d&table=${table}`), context }),
      ]),
    ];
    // A session counts what it has read within a second after it did: that of other tests is not to count here.
    let seen = -1;
    const rests = async () => {
      const before = seen;
      seen = await scans();
      return seen === before;
    };
    await expect.poll(rests, { interval: 1_500 }).toBe(true);
    const scanned: string[] = [];
    for (const [name, open] of screens) {
      const before = await scans();
      await open();
      if ((await scans()) !== before) scanned.push(name);
    }
    expect(scanned).toEqual([]);
  });
});
