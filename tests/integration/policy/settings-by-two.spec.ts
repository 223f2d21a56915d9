/** What a workspace reaches, who receives its checkpoints, the key of a connection, and evidence that leaves: less is free, more is agreed to by two. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';
import { replaceCredential } from '#app/engine/commands/connections/replace-credential.ts';
import { breakGlass } from '#app/engine/commands/control/break-glass.ts';
import { withdrawControlChange } from '#app/engine/commands/control/withdraw-control-change.ts';
import { askForEvidence } from '#app/engine/commands/evidence/ask-for-evidence.ts';
import { takeEvidence } from '#app/engine/commands/evidence/take-evidence.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { sendCheckpoints } from '#app/engine/commands/workspaces/send-checkpoints.ts';
import { setPrivateNetwork } from '#app/engine/commands/workspaces/set-private-network.ts';
import { readExportState } from '#app/engine/control/evidence-grants.ts';
import { askedOf, type ControlDesk, openControlDesk } from '#tests/integration/support/control-desk.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let desk: ControlDesk;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace({ privateNetwork: ['10.0.0.1', '10.0.0.2'] });
  desk = openControlDesk(database, fixture, workspace);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const one = async (text: string, values: unknown[]) => (await database.owner.query(text, values)).rows[0];
const INSTANCE = ['10.0.0.0/8'];
const REASON = 'The new host is inside';
const DONE = { state: 'done' };

describe('the private network', () => {
  const set = (network: string[], reason = REASON) =>
    perform(setPrivateNetwork, desk.as(workspace.admin), desk.deps(), { network, instance: INSTANCE, reason });
  const stored = async () => (await one('select private_network as n from quorate.workspaces where id = $1', [workspace.id])).n;

  test('loses entries at once, and gains one when another person agrees', async () => {
    expect(await set(['10.0.0.1'], '')).toEqual(DONE);
    expect(await stored()).toEqual(['10.0.0.1']);
    await expect(set(['10.0.0.1', '10.0.0.3'], '')).rejects.toMatchObject({ message: 'changeReason' });
    const change = askedOf(await set(['10.0.0.1', '10.0.0.3']));
    expect(await stored()).toEqual(['10.0.0.1']);
    await desk.vote(workspace.approver, change);
    expect(await stored()).toEqual(['10.0.0.1', '10.0.0.3']);
    await expect(set(['10.0.0.1', '10.0.0.3'])).rejects.toMatchObject({ code: 'conflict' });
  });

  test('does not change where it was narrowed meanwhile', async () => {
    const change = askedOf(await set(['10.0.0.1', '10.0.0.2', '10.0.0.3']));
    expect(await set([], '')).toEqual(DONE);
    await expect(desk.vote(workspace.approver, change)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['fewer of them', '["10.0.0.1", "10.0.0.2"]', '["10.0.0.2"]', false],
    ['some of all that the instance lists', '"instance"', '["10.0.0.0/8"]', false],
    ['all that the instance lists', '["10.0.0.1"]', '"instance"', true],
    ['another one', '["10.0.0.1"]', '["10.0.0.3"]', true],
    ['what is no list', '["10.0.0.1"]', '{}', true],
  ])('%s: whether it is more', async (_, before, after, more) => {
    expect((await one('select quorate.reaches_more($1, $2) as more', [before, after])).more).toBe(more);
  });
});

describe('checkpoints', () => {
  const send = (mail: boolean, webhook: string | null, reason = REASON) =>
    perform(sendCheckpoints, desk.as(workspace.admin), desk.deps(), { mail, webhook, reason });
  const stored = async () => (await one("select settings -> 'checkpoints' as c from quorate.workspaces where id = $1", [workspace.id])).c;
  const KEEPER = 'https://keeper.example/hooks/a-secret';

  test('gain a receiver at once; one is lost, or another put in its place, when another person agrees', async () => {
    expect(await send(true, KEEPER, '')).toEqual(DONE);
    const asked = askedOf(await send(true, 'https://me:word@elsewhere.example/x'));
    expect(await stored()).toEqual({ mail: true, webhook: KEEPER });
    const { subject } = await desk.changeOf(asked);
    expect(subject.after.webhook.host).toBe('elsewhere.example');
    expect(JSON.stringify(subject)).not.toMatch(/a-secret|word/);
    await desk.vote(workspace.approver, asked, { vote: 'reject', reason: 'Not ours' });
    const [{ kept }] = (await database.owner.query('select count(*)::int as kept from quorate.control_secrets')).rows;
    expect(kept).toBe(0);
    const ended = askedOf(await send(false, KEEPER));
    await desk.vote(workspace.approver, ended);
    expect(await stored()).toEqual({ mail: false, webhook: KEEPER });
    expect(await send(true, KEEPER, '')).toEqual(DONE);
  });

  test('do not go to an address that nobody was shown', async () => {
    await send(true, KEEPER, '');
    const { before, after } = await one(
      `select quorate.state_of_checkpoints(settings -> 'checkpoints') as before,
        quorate.state_of_checkpoints('{"mail":true,"webhook":"https://shown.example/"}') as after from quorate.workspaces where id = $1`,
      [workspace.id],
    );
    const subject = JSON.stringify({
      kind: 'workspace_checkpoints',
      workspace: workspace.id,
      resource: workspace.id,
      before,
      after,
      reason: 'x',
    });
    const ask = (secret: Uint8Array | null) =>
      fixture.asMember(workspace, workspace.admin, async (db) => {
        await sql`select quorate.request_control_change(${newId()}, ${subject}::json, now() + interval '1 day', ${secret})`.execute(db);
        return { result: null, event: { action: 'change.requested', resource: { kind: 'change', id: newId() } } };
      });
    await expect(ask(Buffer.from('{"mail":true,"webhook":"https://hidden.example/"}'))).rejects.toMatchObject({ code: '22023' });
    await expect(ask(null)).rejects.toMatchObject({ code: '22023' });
  });
});

test('another key of a connection takes the place of the old one when another person agrees, and no event holds it', async () => {
  const { connectionId: id, slug: name } = await fixture.makeCapability(workspace, { name: 'transfer' });
  const replace = (sealed: string) =>
    perform(replaceCredential, desk.as(workspace.builder), desk.deps(), {
      connection: { id, name },
      sealed: Buffer.from(sealed),
      reason: REASON,
    });
  const stored = async () => one('select sealed_credential as c, status from quorate.connections where id = $1', [id]);
  const asked = askedOf(await replace('the sealed key'));
  expect((await stored()).c).toBeNull();
  const digest = createHash('sha256').update('the sealed key').digest('hex');
  expect((await desk.changeOf(asked)).subject).toMatchObject({ before: { credential: null }, after: { credential: digest } });
  await desk.vote(workspace.approver, asked);
  expect(String((await stored()).c)).toBe('the sealed key');
  const { rows } = await database.owner.query('select payload::text from quorate.audit_events where workspace_id = $1', [workspace.id]);
  expect(rows.map(({ payload }) => payload).join()).not.toMatch(/sealed key/);
});

describe('evidence', () => {
  const LOG = { kind: 'log', from: 0, until: 9_999 } as const;
  const ask = (by = workspace.admin, exported: EvidenceExport = LOG) =>
    perform(askForEvidence, desk.as(by), desk.deps(), { export: exported, reason: 'The supervisor asks' });
  const take = (part: string, by = workspace.admin, exported: EvidenceExport = LOG) =>
    perform(takeEvidence, desk.as(by), desk.deps(), { export: exported, part, file: 'evidence.json' });
  const refused = { code: 'forbidden', message: 'evidenceAsk' };
  const stateOf = (by: TestMember) =>
    database.database.asMember({ userId: by.id, sessionId: by.sessionId, workspaceId: workspace.id }, (db) =>
      readExportState(db, by.id, LOG),
    );
  const leave = () =>
    one(
      `select count(*)::int as n, array_agg(payload ->> 'change') as changes from quorate.audit_events
       where workspace_id = $1 and action = 'evidence.exported'`,
      [workspace.id],
    );

  test('leaves once another person has agreed: each file once, by whoever asked, in time, and nothing else', async () => {
    const other = await desk.join(['user', 'auditor']);
    await expect(take('0')).rejects.toMatchObject(refused);
    expect(await stateOf(workspace.admin)).toEqual({ state: 'ask' });
    const change = askedOf(await ask());
    expect(await stateOf(workspace.admin)).toMatchObject({ state: 'waiting', change });
    await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
    // others ask about theirs meanwhile, and the settings of the workspace wait for none of it
    await desk.vote(workspace.approver, askedOf(await ask(other)), { vote: 'reject', reason: 'Why?' });
    await expect(take('0')).rejects.toMatchObject(refused);
    await desk.vote(workspace.approver, change);
    await expect(take('0', other)).rejects.toMatchObject(refused);
    await expect(take('0', workspace.admin, { ...LOG, until: 19_999 })).rejects.toMatchObject(refused);
    await expect(take('1')).rejects.toMatchObject(refused);
    await take('0');
    await expect(take('0')).rejects.toMatchObject(refused);
    expect(await stateOf(workspace.admin)).toMatchObject({ state: 'granted', change, taken: ['0'] });
    await take('5000');
    await expect(take('5000')).rejects.toMatchObject(refused);
    expect(await leave()).toEqual({ n: 2, changes: [change, change] });
    // with the last file it is over, and may be asked for again
    expect(await stateOf(workspace.admin)).toEqual({ state: 'ask' });
    await desk.vote(workspace.approver, askedOf(await ask()));
    await database.arrange(workspace.id, async (client) => {
      await client.query("update quorate.evidence_grants set ends_at = now() - interval '1 second' where workspace_id = $1", [
        workspace.id,
      ]);
    });
    await expect(take('0')).rejects.toMatchObject(refused);
  });

  test('does not leave by whoever has lost their role, asks on another name, or makes their own permission', async () => {
    const change = askedOf(await ask(workspace.builder, { kind: 'table', list: 'runs', filter: '' }));
    await desk.vote(workspace.approver, change);
    const runs = `select quorate.take_evidence('{"kind":"table","list":"runs","filter":""}', 'table')`;
    expect(await desk.statementByKey(workspace.builder, runs)).toBe('QP005');
    await desk.setRoles(workspace.builder, ['user']);
    expect(await desk.statement(workspace.builder, runs)).toBe('QP005');
    await expect(ask(workspace.approver)).rejects.toMatchObject({ code: 'forbidden' });
    const theirs = { by: workspace.admin.id, ...LOG };
    const forged = { kind: 'evidence_export', resource: workspace.id };
    const states = { before: { export: theirs, granted: false }, after: { export: theirs, granted: true } };
    await expect(desk.ask(workspace.approver, { ...forged, ...states })).rejects.toMatchObject({ code: 'forbidden' });
    // of the log by the login, for whoever does not read it: agreed to, and taken by nobody
    const own = { by: workspace.approver.id, ...LOG };
    const asked = await desk.ask(workspace.approver, {
      ...forged,
      ...{ before: { export: own, granted: false }, after: { export: own, granted: true } },
    });
    await desk.vote(workspace.admin, asked);
    expect(await desk.statement(workspace.approver, `select quorate.take_evidence('${JSON.stringify(LOG)}', '0')`)).toBe('QP005');
    for (const statement of [
      `update quorate.evidence_grants set taken = '{}'`,
      `insert into quorate.evidence_grants (change_id, workspace_id, user_id, export, ends_at)
        select change_id, workspace_id, user_id, export, now() from quorate.evidence_grants`,
    ])
      expect(await desk.statement(workspace.admin, statement)).toBe('42501');
  });

  test('leaves by break-glass for its hours, loudly, once in seven days, and is agreed to afterwards', async () => {
    const [change, other] = [askedOf(await ask()), askedOf(await ask(workspace.admin, { ...LOG, until: 20_000 }))];
    const glass = async (asked: string) => {
      await database.prove(workspace.admin, asked, 'break_glass');
      const { digest } = await desk.changeOf(asked);
      return perform(breakGlass, desk.as(workspace.admin), desk.deps(), { change: asked, reason: 'The police is here', digest, hours: 1 });
    };
    const { until } = await glass(change);
    expect(await stateOf(workspace.admin)).toMatchObject({ state: 'granted', endsAt: until });
    await take('0');
    await take('5000');
    await expect(glass(other)).rejects.toMatchObject({ code: 'conflict', message: 'change.again' });
    await desk.vote(workspace.approver, change);
    expect((await desk.changeOf(change)).status).toBe('approved');
    await perform(withdrawControlChange, desk.as(workspace.admin), desk.deps(), { change: other });
  });

  test('stays in when break-glass is ended before it was taken', async () => {
    const change = askedOf(await ask());
    await database.prove(workspace.admin, change, 'break_glass');
    const { digest } = await desk.changeOf(change);
    await perform(breakGlass, desk.as(workspace.admin), desk.deps(), { change, reason: 'The police is here', digest, hours: 24 });
    expect(await desk.vote(workspace.approver, change, { vote: 'reject', reason: 'They left' })).toEqual({ status: 'reverted' });
    await expect(take('0')).rejects.toMatchObject(refused);
  });
});
