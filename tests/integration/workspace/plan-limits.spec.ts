/** What a plan holds, what changes it, and what an administrator sees of how members sign in. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import type { Plan } from '#app/contracts/people.ts';
import { clientContext, memberContext, membershipsContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { fingerprintOf } from '#app/engine/connections/fingerprint.ts';
import { createWorkspaceAction } from '#app/features/account/create-workspace-action.server.ts';
import { changePlanAction } from '#app/features/admin/billing/change-plan-action.server.ts';
import { loadBilling } from '#app/features/admin/billing/load-billing.server.ts';
import { loadSignInSecurity } from '#app/features/admin/load-sign-in-security.server.ts';
import { addBuiltinAction } from '#app/features/connections/connect/add-builtin-action.server.ts';
import { connectAction, loadConnectAgent } from '#app/features/connections/connect/connect-action.server.ts';
import { createWorkflowAction } from '#app/features/workflows/list/create-workflow-action.server.ts';
import { loadCreateScreen } from '#app/features/workflows/load-screens.server.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const agent: PeerInspection = {
  name: 'Agent',
  version: '1',
  protocolVersion: '1.0',
  capabilities: [
    {
      ...{ kind: 'skill', name: 'assess', title: 'Assess', description: '', inputSchema: { type: 'object' }, outputSchema: null },
      ...{ definition: { id: 'assess' }, fingerprint: fingerprintOf({ id: 'assess' }) },
    },
  ],
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

type World = TestWorkspace & { members: TestMember[] };
const ruler = (world: World) => world.members[0] as TestMember;
async function world(plan: Plan, trialEndsAt: Date | null = null): Promise<World> {
  const made = await database.makeWorkspace({ members: [{ roles: ['user', 'builder', 'admin'] }, { roles: ['user', 'auditor'] }] });
  await setPlan(made, plan, trialEndsAt);
  return made;
}
const setPlan = (to: World, plan: Plan, trialEndsAt: Date | null = null) =>
  database.arrange(to.id, async (client) => {
    await client.query('update quorate.workspaces set plan = $2, trial_ends_at = $3 where id = $1', [to.id, plan, trialEndsAt]);
  });

function contextOf(within: World, member = ruler(within)) {
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: within.id };
  const access: MemberAccess = {
    member: {
      ...who,
      email: member.email,
      name: member.name,
      roles: member.roles,
      workspace: { ...within, haltedAt: null, isDemo: false },
    },
    read: (work) => database.database.asMember(who, work, { readOnly: true }),
    change: (work) =>
      database.database.asMember(who, async (db) => {
        const { result, event } = await work(db);
        const actor = { kind: 'member' as const, id: member.id, name: member.name };
        await recordEvent(db, { id: newId(), actor, workspaceId: within.id, entry: event });
        return result;
      }),
  };
  const context = new RouterContextProvider();
  context.set(memberContext, access);
  context.set(membershipsContext, []);
  context.set(clientContext, { address: '127.0.0.1', secure: false });
  context.set(servicesContext, {
    founders: 'anyone',
    engine: { inspectPeer: async () => agent, sealer: { seal: () => new Uint8Array() } },
    access: { asNobody: (work: Parameters<typeof database.database.app>[0]) => database.database.app(work) },
    now: () => NOW,
    newId,
  } as unknown as Services);
  return context;
}
const post = (within: World, path: string, fields: Record<string, string> = {}) =>
  new Request(`http://x${path}`, { method: 'POST', body: new URLSearchParams({ workspace: within.id, ...fields }) });

/** The status that an action answers with, thrown or returned, and all that it says. */
async function outcome(work: Promise<unknown>): Promise<{ status: number; said: string }> {
  const answer = await work.catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  });
  if (answer instanceof Response) return { status: answer.status, said: answer.headers.get('Location') ?? '' };
  const { init, data } = answer as { init: { status: number }; data: unknown };
  return { status: init.status, said: JSON.stringify(data) };
}
const connect = (to: World, context = contextOf(to)) =>
  outcome(connectAction({ request: post(to, '/', { name: 'Agent', address: 'https://agent.example.org' }), context, kind: 'a2a' }));
const write = (to: World, name = 'Typed') => outcome(createWorkflowAction({ request: post(to, '/', { name }), context: contextOf(to) }));
const change = (to: World, plan: string, answer = 'agreed') => {
  const request = post(to, '/', { answer });
  const url = new URL(request.url);
  return outcome(
    changePlanAction({ request, url, pattern: '', params: { plan }, context: contextOf(to) } as Parameters<typeof changePlanAction>[0]),
  );
};
const countOf = async (within: World, table: 'connections' | 'artifacts' | 'audit_events', where = 'true') =>
  (await database.owner.query(`select count(*)::int as n from quorate.${table} where workspace_id = $1 and ${where}`, [within.id])).rows[0]
    .n;
const planOf = async (of: World) =>
  (await database.owner.query('select plan, trial_ends_at from quorate.workspaces where id = $1', [of.id])).rows[0];

describe('a plan’s number of agents', () => {
  test('holds for who connects, also at once, for the built-in agent, and says what to do; tools are not counted', async () => {
    const small = await world('starter');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => connect(small)));
    expect(outcomes.filter(({ status }) => status < 400)).toHaveLength(5);
    for (const { status, said } of outcomes.filter((one) => one.status >= 400)) {
      expect(status).toBe(402);
      expect(said).toContain('agentsFull?limit=5');
      expect(said).toContain('https://agent.example.org');
    }
    expect(await countOf(small, 'connections', `kind = 'a2a'`)).toBe(5);
    const builtin = await outcome(
      addBuiltinAction({ request: post(small, '/', { intent: 'addBuiltin' }), context: contextOf(small), kind: 'a2a' }),
    );
    expect(builtin.said).toContain('/dashboard/agents');
    expect(await countOf(small, 'connections', `kind = 'a2a'`)).toBe(5);
    expect(await loadConnectAgent({ context: contextOf(small) })).toEqual({
      kind: 'a2a',
      full: { what: 'agents', limit: 5, mayChange: true },
    });
    await addBuiltinAction({ request: post(small, '/', { intent: 'addBuiltin' }), context: contextOf(small), kind: 'mcp' });
    expect(await countOf(small, 'connections', `kind = 'mcp'`)).toBe(1);
  });

  test('has room again when one is disconnected, and none is counted for another workspace', async () => {
    const small = await world('starter');
    const other = await world('starter');
    for (let count = 0; count < 5; count += 1) expect((await connect(small)).status).toBeLessThan(400);
    expect((await connect(other)).status).toBeLessThan(400);
    await database.arrange(small.id, async (client) => {
      await client.query(
        `update quorate.connections set deleted_at = now() where id = (select id from quorate.connections where workspace_id = $1 limit 1)`,
        [small.id],
      );
    });
    expect((await connect(small)).status).toBeLessThan(400);
    expect((await connect(small)).status).toBe(402);
  });

  test('refuses when it cannot be told: nothing fails open', async () => {
    const small = await world('starter');
    const context = contextOf(small);
    const access = context.get(memberContext);
    // as a lookup that finds no plan would end
    context.set(memberContext, { ...access, member: { ...access.member, workspace: { ...access.member.workspace, id: newId() } } });
    await expect(connect(small, context)).rejects.toThrow();
    expect(await countOf(small, 'connections')).toBe(0);
  });
});

describe('a plan’s number of workflows', () => {
  test('refuses the next one with what was typed, and a trial that is over counts as Starter', async () => {
    const trial = await world('professional', new Date('2026-11-20T11:59:59Z'));
    for (let count = 0; count < 10; count += 1) expect((await write(trial)).status).toBeLessThan(400);
    const refused = await write(trial, 'Kept by the form');
    expect(refused.status).toBe(402);
    expect(refused.said).toContain('workflowsFull?limit=10');
    expect(refused.said).toContain('Kept by the form');
    const page = await loadCreateScreen(contextOf(trial), new URL('http://x/'));
    expect(page.full).toEqual({ what: 'workflows', limit: 10, mayChange: true });
    expect((await change(trial, 'professional')).status).toBeLessThan(400);
    expect((await write(trial)).status).toBeLessThan(400);
  });
});

describe('a change of plan', () => {
  test('goes up at once and is written to the log with its reference', async () => {
    const small = await world('starter');
    expect((await change(small, 'enterprise')).said).toContain('/dashboard/admin/billing');
    expect(await planOf(small)).toEqual({ plan: 'enterprise', trial_ends_at: null });
    const { rows } = await database.owner.query(
      `select payload from quorate.audit_events where workspace_id = $1 and action = 'workspace.planChanged'`,
      [small.id],
    );
    expect(rows).toMatchObject([
      { payload: { from: 'starter', to: 'enterprise', provider: 'test', reference: expect.stringMatching(/^test-/) } },
    ]);
    expect((await change(small, 'enterprise')).status).toBe(409);
  });

  test('goes down only within what the smaller plan holds, and says how much is too much', async () => {
    const large = await world('professional');
    for (let count = 0; count < 6; count += 1) await connect(large);
    const refused = await change(large, 'starter');
    expect(refused.status).toBe(409);
    expect(refused.said).toContain('agentsBeyondPlan?used=6&limit=5');
    expect((await planOf(large)).plan).toBe('professional');
    expect((await loadBilling(contextOf(large))).plans.find(({ name }) => name === 'starter')?.beyond).toEqual([
      { measure: 'agents', used: 6, limit: 5 },
    ]);
    await database.arrange(large.id, async (client) => {
      await client.query(
        `update quorate.connections set deleted_at = now() where id = (select id from quorate.connections where workspace_id = $1 limit 1)`,
        [large.id],
      );
    });
    expect((await change(large, 'starter')).status).toBeLessThan(400);
    expect((await connect(large)).status).toBe(402);
  });

  test('never leaves more than the plan holds when someone connects at the same moment', async () => {
    const large = await world('professional');
    for (let count = 0; count < 5; count += 1) await connect(large);
    await Promise.all([change(large, 'starter'), connect(large), connect(large)]);
    const agents = await countOf(large, 'connections', `kind = 'a2a'`);
    expect((await planOf(large)).plan === 'starter' ? agents <= 5 : agents === 7 || agents === 6).toBe(true);
  });

  test('whose payment is declined changes nothing', async () => {
    const small = await world('starter');
    const before = await countOf(small, 'audit_events');
    const declined = await change(small, 'professional', 'declined');
    expect(declined).toMatchObject({ status: 402, said: expect.stringContaining('paymentDeclined') });
    expect((await planOf(small)).plan).toBe('starter');
    expect(await countOf(small, 'audit_events')).toBe(before);
    expect((await change(small, 'professional')).status).toBeLessThan(400);
  });

  test('is for admins, and for plans that there are', async () => {
    const small = await world('starter');
    const auditor = small.members[1] as TestMember;
    const args = { request: post(small, '/'), params: { plan: 'enterprise' }, context: contextOf(small, auditor) };
    await expect(changePlanAction(args as unknown as Parameters<typeof changePlanAction>[0])).rejects.toMatchObject({ code: 'forbidden' });
    await expect(change(small, 'free')).rejects.toMatchObject({ init: { status: 404 } });
  });
});

describe('a workspace that is founded', () => {
  const found = (by: World, name: string) =>
    outcome(
      createWorkspaceAction({ request: post(by, '/', { name }), params: {}, context: contextOf(by) } as unknown as Parameters<
        typeof createWorkspaceAction
      >[0]),
    );

  test('begins with its founder as admin and builder, Professional for 30 days, its policies, one event, and is opened', async () => {
    const home = await world('enterprise');
    const name = `Second home ${newId()}`;
    const answer = await found(home, name);
    expect(answer).toMatchObject({ status: 303, said: '/dashboard' });
    const { rows } = await database.owner.query(
      `select w.id, w.plan, round(extract(epoch from w.trial_ends_at - w.created_at) / 86400)::int as days, m.roles, m.user_id,
         (select count(*)::int from quorate.artifacts a where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active') as policies,
         (select array_agg(e.action order by e.id) from quorate.audit_events e where e.workspace_id = w.id) as actions
       from quorate.workspaces w join quorate.members m on m.workspace_id = w.id where w.name = $1`,
      [name],
    );
    expect(rows).toMatchObject([
      { plan: 'professional', days: 30, roles: ['user', 'builder', 'admin'], user_id: ruler(home).id, policies: 3 },
    ]);
    expect(rows[0].actions).toContain('workspace.created');
  });

  test('may not be one too many, nor one of a session that is over', async () => {
    const home = await world('enterprise');
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await found(home, `Home ${count}`)).status);
    expect(statuses[0]).toBe(303);
    expect(statuses.at(-1)).toBeGreaterThanOrEqual(400);
    const over = await world('enterprise');
    await database.asAuthService(`delete from auth.sessions where id = '${ruler(over).sessionId}'`);
    await expect(found(over, 'Ghost house')).rejects.toThrow();
    expect((await database.owner.query(`select from quorate.workspaces where name = 'Ghost house'`)).rowCount).toBe(0);
  });
});

describe('how safely members sign in', () => {
  test('shows sessions and wrong passwords of one’s own workspace, to admins and auditors alone', async () => {
    const home = await world('enterprise');
    const other = await world('enterprise');
    const [admin, auditor] = home.members as [TestMember, TestMember];
    const more = await database.makeSession(auditor.id);
    const wrong = async (email: string, hits: number) =>
      database.owner.query('insert into quorate.rate_limits (key, window_started_at, hits) values ($1, now(), $2)', [
        `signInAccount:${createHash('sha256').update(email.toLowerCase()).digest('base64url')}`,
        hits,
      ]);
    await wrong(auditor.email, 4);
    await wrong(ruler(other).email, 9);
    for (const reader of [admin, auditor]) {
      const seen = await loadSignInSecurity(contextOf(home, reader));
      expect(seen.members.map(({ id }) => id).sort()).toEqual([admin.id, auditor.id].sort());
      expect(seen.members.find(({ id }) => id === auditor.id)).toMatchObject({ sessions: 2, wrongPasswords: 4 });
      expect(seen.members.find(({ id }) => id === admin.id)).toMatchObject({ sessions: 1, wrongPasswords: 0 });
      expect(JSON.stringify(seen)).not.toContain(ruler(other).id);
      expect(JSON.stringify(seen)).not.toContain(more);
    }
  });

  test('is told to no other role, also not by the function itself, and old mistakes are forgotten', async () => {
    const home = await database.makeWorkspace({ members: [{ roles: ['user', 'admin'] }, { roles: ['user', 'builder', 'approver'] }] });
    const [admin, builder] = home.members as [TestMember, TestMember];
    await expect(loadSignInSecurity(contextOf(home, builder))).rejects.toMatchObject({ code: 'forbidden' });
    const read = (member: TestMember) =>
      contextOf(home, member)
        .get(memberContext)
        .read((db) => sql<{ wrong_passwords: number }>`select * from quorate.read_member_security('15 minutes'::interval)`.execute(db));
    await expect(read(builder)).rejects.toMatchObject({ code: 'forbidden' });
    await database.owner.query(`insert into quorate.rate_limits (key, window_started_at, hits) values ($1, now() - interval '1 day', 5)`, [
      `signInAccount:${createHash('sha256').update(builder.email).digest('base64url')}`,
    ]);
    expect((await read(admin)).rows.map((row) => row.wrong_passwords)).toEqual([0, 0]);
  });
});
