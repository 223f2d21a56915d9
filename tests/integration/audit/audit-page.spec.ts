import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { downloadEventEvidence } from '#app/features/audit/download-evidence.server.ts';
import { loadAuditEvent } from '#app/features/audit/load-audit-event.server.ts';
import { loadAuditLog } from '#app/features/audit/load-audit-log.server.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { recordedChange } from '#tests/integration/support/recorded-change.ts';
import { insertLog } from '#tests/integration/support/run-history.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
let test: TestDatabase;
let workspace: TestWorkspace;
let auditor: TestMember;
let plain: TestMember;
let stranger: { workspace: TestWorkspace; member: TestMember };
let written: string[];

beforeAll(async () => {
  test = await createTestDatabase();
  const made = await test.makeWorkspace({ members: [{ roles: ['auditor'] }, { roles: ['user'], name: 'Ida' }] });
  workspace = made;
  [auditor, plain] = made.members as [TestMember, TestMember];
  const other = await test.makeWorkspace({ members: [{ roles: ['auditor', 'admin'] }] });
  stranger = { workspace: other, member: other.members[0] as TestMember };
  written = [];
  for (let n = 0; n < 60; n++) {
    const id = newId();
    written.push(id);
    const by = n % 20 === 0 ? plain : auditor;
    await test.database.asMember({ userId: by.id, sessionId: by.sessionId, workspaceId: workspace.id }, (db) =>
      recordEvent(db, {
        id,
        actor: { kind: 'member', id: by.id, name: by.name },
        workspaceId: workspace.id,
        entry: {
          action: n % 2 === 0 ? 'policy.paused' : 'policy.activated',
          resource: { kind: 'test', id: `r${n}`, name: `100%_${n}` },
          payload: { n },
        },
      }),
    );
  }
  await test.database.asWorker(workspace.id, (db) => placeEvents(db, workspace.id, signer, null));
});
afterAll(async () => {
  await test.close();
});

function contextOf(member: TestMember, within: TestWorkspace) {
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: within.id };
  const context = new RouterContextProvider();
  context.set(memberContext, {
    member: {
      userId: member.id,
      sessionId: member.sessionId,
      email: member.email,
      name: member.name,
      roles: member.roles,
      workspace: { ...within, haltedAt: null, isDemo: false },
    },
    read: (work) => test.database.asMember(who, work, { readOnly: true }),
    change: recordedChange(test, member, within.id),
  });
  context.set(servicesContext, { engine: { signer }, newId, now: () => new Date() } as unknown as Services);
  return context;
}
const list = async (member: TestMember, query = '', within = workspace) =>
  (await loadAuditLog({ url: new URL(`http://x/dashboard/audit${query}`), context: contextOf(member, within) })).data;

describe('audit page', () => {
  it('shows auditors everything, newest first, in pages', async () => {
    const first = await list(auditor);
    expect(first).toMatchObject({ seesAll: true, actions: ['policy.activated', 'policy.paused', 'test.arranged'] });
    expect(first.rows).toHaveLength(50);
    expect(first.rows[0]).toMatchObject({ id: written[59], resource: { name: '100%_59' }, leafIndex: 60 });
    expect((await list(auditor, `?after=${encodeURIComponent(first.list.next ?? '')}`)).rows).toHaveLength(11);
  });

  it('shows others what they did themselves, and nothing of another workspace to anyone', async () => {
    const own = await list(plain);
    expect(own).toMatchObject({ seesAll: false, people: [], actions: ['policy.paused'] });
    expect(own.rows.map((row) => row.actor.name)).toEqual(['Ida', 'Ida', 'Ida']);
    expect((await list(stranger.member, '', stranger.workspace)).rows.every((row) => row.action === 'test.arranged')).toBe(true);
  });

  it.each([
    ['?action=policy.activated', 30],
    ['?user=quorate', 1],
    ['?resource=r7', 1],
    [`?resource=${encodeURIComponent('100%_5')}`, 11],
    ['?resource=100x', 0],
    ['?from=2020-01-01&until=2020-12-31', 0],
    ['?user=not-an-id', 0],
  ])('filters by %s', async (query, count) => {
    expect((await list(auditor, query)).rows).toHaveLength(count);
  });

  it('counts what each user would leave, and nothing where a name is looked for among some of the entries', async () => {
    const until = new Date('2026-10-10T12:00:00Z');
    const withEntries = async (entries: number) => {
      const within = await test.makeWorkspace({ members: [{ roles: ['auditor'] }] });
      const [reader] = within.members as [TestMember];
      await insertLog(test.owner, { workspaceId: within.id, people: [reader.id], days: 10, until, entries });
      return async (query: string) => {
        const { counts } = (await list(reader, query, within)).list;
        const users = counts.facets.find(({ name }) => name === 'user')?.counts;
        return { bounded: counts.bounded, users: users?.map(({ value, count }) => [value === reader.id ? 'reader' : value, count]) };
      };
    };
    const few = await withEntries(100);
    const both = [
      ['reader', 100],
      ['quorate', 1],
    ];
    expect(await few('')).toEqual({ bounded: false, users: both });
    expect(await few('?resource=workspace')).toEqual({ bounded: false, users: both });
    const many = await withEntries(10_010);
    expect(await many('')).toMatchObject({ bounded: true });
    expect(await many('?resource=workspace')).toEqual({ bounded: false, users: undefined });
    // Of a single day there are fewer than are looked at: 1,001 each 24 hours.
    expect(await many('?resource=workspace&from=2026-10-05&until=2026-10-05')).toEqual({ bounded: false, users: [['reader', 1_001]] });
  });

  it('filters by user and by day', async () => {
    expect((await list(auditor, `?user=${plain.id}`)).rows).toHaveLength(3);
    const today = new Date().toISOString().slice(0, 10);
    expect((await list(auditor, `?from=${today}&until=${today}`)).rows).toHaveLength(50);
  });

  it.each(['?from=2026-13-01', '?from=2026-02-02&until=2026-02-01', '?until=soon'])('gives %s back with 400', async (query) => {
    const answer = await loadAuditLog({ url: new URL(`http://x/${query}`), context: contextOf(auditor, workspace) });
    expect(answer.init?.status).toBe(400);
    expect(answer.data).toMatchObject({ valid: false, rows: [] });
    expect(query).toContain(answer.data.filter.from);
  });

  it('draws the way of an entry to the root, which the steps compute', async () => {
    const event = await loadAuditEvent({ params: { event: written[7] ?? '' }, context: contextOf(auditor, workspace) });
    expect(event.proof?.size).toBe(61);
    expect(event.proof?.steps.at(-1)?.result).toBe(event.proof?.root);
    expect(event.proof?.steps.map((step) => [step.side, step.from, step.to])).toEqual([
      ['right', 9, 9],
      ['right', 10, 11],
      ['right', 12, 15],
      ['left', 0, 7],
      ['right', 16, 31],
      ['right', 32, 60],
    ]);
  });

  it('keeps entries from strangers, and evidence from who may not export', async () => {
    const params = { event: written[7] ?? '' };
    await expect(loadAuditEvent({ params, context: contextOf(stranger.member, stranger.workspace) })).rejects.toMatchObject({
      init: { status: 404 },
    });
    await expect(loadAuditEvent({ params, context: contextOf(plain, workspace) })).rejects.toMatchObject({ init: { status: 404 } });
    await expect(loadAuditEvent({ params: { event: 'nonsense' }, context: contextOf(auditor, workspace) })).rejects.toMatchObject({
      init: { status: 404 },
    });
    await expect(
      downloadEventEvidence({ params: { event: written[0] ?? '' }, context: contextOf(plain, workspace) }),
    ).rejects.toMatchObject({ init: { status: 403 } });
    await expect(downloadEventEvidence({ params, context: contextOf(stranger.member, stranger.workspace) })).rejects.toMatchObject({
      init: { status: 404 },
    });
    const file = await downloadEventEvidence({ params, context: contextOf(auditor, workspace) });
    expect(file.headers.get('content-disposition')).toContain('attachment');
  });
});
