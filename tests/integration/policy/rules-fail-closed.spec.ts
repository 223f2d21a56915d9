/** A failed lookup refuses. Each one is broken in the database while the product runs, and nothing may get through. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Arranged, work } from '#tests/survival/support/arrange.ts';
import type { CountingPeer } from '#tests/survival/support/counting-peer.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import { startRunBy } from '#tests/survival/support/load.ts';
import { openBrowser, type Person, signInAs } from '#tests/survival/support/person.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

let instance: Instance;
let peer: CountingPeer;
let workspace: Arranged;
let builder: Person;
let approver: Person;
prepareStage({ 'counting-peer': '/mcp' }, async (stage) => {
  ({ instance, peer, workspace, builder } = stage);
  approver = await signInAs(instance.server(), 'approver');
});

/** While `during` runs, the function is not there: every lookup through it fails. */
async function whileBroken(name: string, during: () => Promise<void>): Promise<void> {
  const [row] = await instance.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p where p.pronamespace = 'quorate'::regnamespace and p.proname = $1`,
    [name],
  );
  if (row === undefined) throw new Error(`there is no function ${name}`);
  const broken = row.signature.replace(name, `${name}_broken`);
  await instance.query(`alter function ${row.signature} rename to ${name}_broken`);
  try {
    await during();
  } finally {
    await instance.query(`alter function ${broken} rename to ${name}`);
  }
}

async function answerOf(asked: Promise<Response>): Promise<{ status: number; text: string }> {
  const answer = await asked;
  return { status: answer.status, text: await answer.text() };
}
const statusOf = async (run: string) =>
  (await instance.query<{ status: string }>('select status from quorate.runs where id = $1', [run]))[0]?.status;
const start = (workflow: string) => until('a run', () => startRunBy(builder, workspace.workspaceId, workflow, randomUUID()));
const callsOf = (run: string) => peer.calls.filter((call) => call.key.startsWith(run));

describe('a lookup that fails', () => {
  test('of the membership shows nothing of the workspace and changes nothing in it', async () => {
    const workflow = await workspace.addWorkflow([work('a')]);
    const page = `/dashboard/workflows/${workflow}`;
    expect((await answerOf(builder.get(page))).text).toContain('Survival');
    await whileBroken('become_member', async () => {
      for (const path of [page, `${page}.data`, '/dashboard', '/dashboard/audit']) {
        const { status, text } = await answerOf(builder.get(path));
        expect(status, path).toBeGreaterThanOrEqual(500);
        expect(text).not.toContain('Survival');
      }
      expect(await startRunBy(builder, workspace.workspaceId, workflow, randomUUID())).toBeNull();
    });
    expect(await instance.query('select id from quorate.runs where artifact_id = $1', [workflow])).toEqual([]);
    expect((await answerOf(builder.get(page))).status).toBe(200);
  });

  test('of the attempt limit signs nobody in, with the right password neither', async () => {
    const [account] = await instance.server().demoAccounts();
    if (account === undefined) throw new Error('nobody');
    const { email, password } = account;
    await whileBroken('take_limit', async () => {
      const browser = openBrowser(instance.origin);
      const { status } = await answerOf(browser.post('/auth?mode=sign-in', { email, password }));
      expect(status).toBeGreaterThanOrEqual(500);
      expect((await answerOf(browser.get('/dashboard'))).status).toBe(302);
    });
    expect((await answerOf(openBrowser(instance.origin).post('/auth?mode=sign-in', { email, password }))).status).toBe(303);
  });

  test('of the policies calls nothing', async () => {
    // another configuration than any that was read before
    const workflow = await workspace.addWorkflow([work('a')]);
    await workspace.connect('another-peer', `${peer.origin}/another`);
    let run = '';
    await whileBroken('read_run_config', async () => {
      run = await start(workflow);
      await until('a worker that tried', async () => {
        const [row] = await instance.query<{ attempt: number }>('select attempt from quorate.runs where id = $1', [run]);
        return (row?.attempt ?? 0) > 0;
      });
      await until('its refusal', () => /a run could not be driven|read_run_config/.test(instance.server().output()), 20_000);
      expect(callsOf(run)).toEqual([]);
      expect(await instance.query('select id from quorate.decisions where run_id = $1', [run])).toEqual([]);
    });
    await until('its end', async () => ['completed', 'failed'].includes((await statusOf(run)) ?? ''));
    expect(callsOf(run).length).toBe((await statusOf(run)) === 'completed' ? 1 : 0);
  }, 120_000);

  test('of the approval counts no vote and releases no step', async () => {
    const workflow = await workspace.addWorkflow([
      { id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', risk: 'low' },
      work('after'),
    ]);
    const run = await start(workflow);
    const approval = await until('the question', async () => {
      const [row] = await instance.query<{ id: string; action_digest: string; status: string }>(
        'select id, action_digest, status from quorate.approvals where run_id = $1',
        [run],
      );
      return row;
    });
    const form = { vote: 'approve', reason: '', digest: approval.action_digest, workspace: workspace.workspaceId };
    const vote = () => answerOf(approver.post(`/dashboard/approvals/${approval.id}`, form));
    await whileBroken('vote_approval', async () => {
      expect((await vote()).status).toBeGreaterThanOrEqual(500);
    });
    expect((await instance.query('select status from quorate.approvals where id = $1', [approval.id]))[0]).toEqual({ status: 'pending' });
    await whileBroken('take_approval', async () => {
      const said = instance.server().output().length;
      expect((await vote()).status).toBe(303);
      await until(
        'a worker that tried',
        () => /a run could not be driven|take_approval/.test(instance.server().output().slice(said)),
        20_000,
      );
      expect(callsOf(run)).toEqual([]);
      expect(await statusOf(run)).not.toBe('completed');
    });
    await until('its end', async () => (await statusOf(run)) === 'completed');
    expect(callsOf(run)).toHaveLength(1);
  }, 120_000);

  test('of the instance’s role leaves the least right', async () => {
    const admin = await signInAs(instance.server(), 'admin');
    await instance.query('alter table public.profiles disable trigger user');
    await instance.query(`update public.profiles set role = 'admin'`);
    await instance.query('alter table public.profiles enable trigger user');
    await instance.query('alter table public.profiles rename to profiles_broken');
    try {
      const { status, text } = await answerOf(admin.get('/no-such-page.data?_routes=root'));
      expect(status).toBeLessThan(500);
      expect(text).toContain('"user"');
      expect(text).not.toContain('"admin"');
    } finally {
      await instance.query('alter table public.profiles_broken rename to profiles');
    }
  });
});
