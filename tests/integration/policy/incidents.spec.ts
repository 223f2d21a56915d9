/** Incidents: who may record, read and handle them, clocks that follow what is known, reminders, and a history that nobody changes. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { assessIncident } from '#app/engine/commands/incidents/assess-incident.ts';
import { closeIncident } from '#app/engine/commands/incidents/close-incident.ts';
import { noteIncident } from '#app/engine/commands/incidents/note-incident.ts';
import { recordIncident } from '#app/engine/commands/incidents/record-incident.ts';
import { reportIncident } from '#app/engine/commands/incidents/report-incident.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { type ApprovalDesk, openApprovalDesk } from '#tests/integration/support/approval-desk.ts';
import type { TestMember } from '#tests/support/test-database.ts';

const HOUR = 3_600_000;
let desk: ApprovalDesk;
beforeAll(async () => {
  desk = await openApprovalDesk();
});
afterAll(() => desk.test.close());

const ago = (hours: number) => new Date(Date.now() - hours * HOUR);
const FACTS = { title: 'Wrong payee', happened: 'A payment went to another account.', severity: 'high', harm: null, touches: [] } as const;
type Given = Partial<z.input<typeof recordIncident.input>>;

async function record(by: TestMember, given: Given = {}): Promise<string> {
  const id = newId();
  const input = { id, ...FACTS, noticedAt: ago(1), classifiedAt: null, regimes: [], ...given };
  await perform(recordIncident, desk.principal(by), desk.deps, { ...input, touches: [...input.touches] });
  return id;
}
const report = (by: TestMember, incident: string, regime: 'dora' | 'nis2', step: 'initial' | 'intermediate' | 'warning', sentAt: Date) =>
  perform(reportIncident, desk.principal(by), desk.deps, { incident, regime, step, sentAt, reference: 'R-1', note: '' });
const clocks = async (incident: string) => {
  const { rows } = await desk.test.owner.query<{ step: string; due_at: Date | null; sent_at: Date | null }>(
    'select step, due_at, sent_at from quorate.incident_clocks where incident_id = $1 order by place',
    [incident],
  );
  return rows;
};
const remind = async () =>
  (await desk.test.database.app((db) => sql<{ told: number }>`select quorate.remind_incidents() as told`.execute(db))).rows[0]?.told;
/** The notices of a person about an incident. */
const told = (member: TestMember, incident: string) => desk.noticesOf(member, incident);
const sees = (member: TestMember, incident: string, workspace?: string) =>
  desk
    .as(member, (db) => db.selectFrom('quorate.incidents').where('id', '=', incident).select('id').execute(), workspace)
    .then(({ length }) => length === 1);

it('is recorded by any member, read by whoever sees all runs, and told to whoever handles it', async () => {
  const { plain, admin, ada, author } = desk.people;
  await desk.setRoles(author, ['user']);
  const id = await record(author, { regimes: ['nis2'] });
  expect(await Promise.all([author, plain, admin, ada].map((member) => sees(member, id)))).toEqual([true, true, true, true]);
  const other = await record(plain);
  expect(await sees({ ...author, roles: ['user'] }, other)).toBe(false);
  expect(await sees(desk.stranger.member, id, desk.stranger.workspaceId)).toBe(false);
  expect(await told(admin, id)).toEqual(['notifyIncidentRecorded']);
  expect(await told(author, id)).toEqual([]);
  await desk.setRoles(author, ['user', 'builder', 'approver']);
});

it('is handled by approvers and admins alone, also past the commands', async () => {
  const { plain, initiator } = desk.people;
  const id = await record(initiator, { regimes: ['nis2'] });
  await expect(report(plain, id, 'nis2', 'warning', new Date())).rejects.toMatchObject({ code: 'forbidden' });
  const past = desk.principal(plain).change(async (db) => {
    await sql`select quorate.close_incident(${newId()}, ${id}, 'x')`.execute(db);
    return { result: null, event: { action: 'incident.closed', resource: { kind: 'incident', id } } };
  });
  await expect(past).rejects.toMatchObject({ code: 'QI002' });
});

it('starts each clock from its moment, and moves what depends on a report that is corrected', async () => {
  const { ada } = desk.people;
  const noticedAt = ago(10);
  const id = await record(ada, { noticedAt, regimes: ['dora'] });
  expect((await clocks(id)).map(({ due_at }) => due_at?.getTime() ?? null)).toEqual([noticedAt.getTime() + 24 * HOUR, null, null]);
  const classifiedAt = ago(2);
  await perform(assessIncident, desk.principal(ada), desk.deps, {
    ...{ incident: id, severity: 'high', harm: null, classifiedAt, regimes: ['dora'], note: 'Over the threshold.' },
  });
  expect((await clocks(id))[0]?.due_at).toEqual(new Date(classifiedAt.getTime() + 4 * HOUR));
  await report(ada, id, 'dora', 'initial', ago(1));
  const first = await clocks(id);
  await report(ada, id, 'dora', 'initial', ago(1.5));
  const second = await clocks(id);
  expect((first[1]?.due_at?.getTime() ?? 0) - (second[1]?.due_at?.getTime() ?? 0)).toBeCloseTo(HOUR / 2, -3);
  const entries = await desk.test.owner.query('select kind from quorate.incident_entries where incident_id = $1 order by made_at', [id]);
  expect(entries.rows.map(({ kind }) => kind)).toEqual(['assessed', 'reported', 'reported']);
  expect((await desk.eventsOf(id)).map((event) => (event as { action: string }).action)).toEqual([
    'incident.recorded',
    'incident.assessed',
    'incident.reported',
    'incident.reported',
  ]);
});

it('keeps both of two reports that are recorded at the same moment', async () => {
  const { ada, ben } = desk.people;
  const id = await record(ada, { classifiedAt: ago(0.5), regimes: ['dora', 'nis2'] });
  await Promise.all([report(ada, id, 'dora', 'initial', ago(0.1)), report(ben, id, 'nis2', 'warning', ago(0.1))]);
  const sent = (await clocks(id)).filter(({ sent_at }) => sent_at !== null).map(({ step }) => step);
  expect(sent).toEqual(['initial', 'warning']);
});

it('refuses what cannot be: times ahead, a law that did not apply yet, and closing while reports are due', async () => {
  const { ada } = desk.people;
  await expect(record(ada, { noticedAt: ago(-1) })).rejects.toMatchObject({ field: 'noticed.local' });
  await expect(record(ada, { classifiedAt: ago(2) })).rejects.toMatchObject({ field: 'classified.local' });
  await expect(record(ada, { noticedAt: new Date('2026-08-01T10:00Z'), regimes: ['aiAct'] })).rejects.toMatchObject({ field: 'regimes' });
  const id = await record(ada, { regimes: ['nis2'] });
  await expect(report(ada, id, 'dora', 'initial', new Date())).rejects.toMatchObject({ code: 'conflict' });
  const close = () => perform(closeIncident, desk.principal(ada), desk.deps, { incident: id, rootCause: 'A stale list.' });
  await expect(close()).rejects.toMatchObject({ reasons: [{ key: 'incidentReportsOpen' }] });
  const none = { severity: 'low', harm: null, classifiedAt: null, regimes: [], note: 'Not significant.' } as const;
  await perform(assessIncident, desk.principal(ada), desk.deps, { incident: id, ...none, regimes: [] });
  await close();
  await expect(close()).rejects.toMatchObject({ reasons: [{ key: 'incidentClosed' }] });
  await perform(noteIncident, desk.principal(ada), desk.deps, { incident: id, note: 'Seen by the board.' });
});

it('reminds once in the last quarter and once when it is overdue, and again where the time has moved', async () => {
  const { ada, admin, plain } = desk.people;
  await remind();
  const id = await record(plain, { noticedAt: ago(19), regimes: ['nis2'] });
  await Promise.all([remind(), remind()]);
  await remind();
  expect(await told(plain, id)).toEqual(['notifyIncidentDue']);
  expect(await told(admin, id)).toEqual(['notifyIncidentRecorded', 'notifyIncidentDue']);
  await desk.test.owner.query(
    `update quorate.incident_clocks set due_at = now() - interval '1 second' where incident_id = $1 and step = 'warning'`,
    [id],
  );
  await Promise.all([remind(), remind()]);
  await remind();
  expect(await told(ada, id)).toEqual(['notifyIncidentRecorded', 'notifyIncidentDue', 'notifyIncidentOverdue']);
  const done = await record(plain, { noticedAt: ago(23), regimes: ['nis2'] });
  await report(ada, done, 'nis2', 'warning', ago(1));
  await remind();
  expect(await told(plain, done)).toEqual([]);
});

it('has entries and facts that nobody changes, not even the owner of the tables', async () => {
  const id = await record(desk.people.ada);
  await perform(noteIncident, desk.principal(desk.people.ada), desk.deps, { incident: id, note: 'First.' });
  for (const text of [
    `update quorate.incident_entries set note = 'Other' where incident_id = $1`,
    `update quorate.incidents set happened = 'Nothing' where id = $1`,
    `update quorate.incidents set noticed_at = now() where id = $1`,
  ])
    await expect(desk.test.owner.query(text, [id]), text).rejects.toMatchObject({ code: 'QA003' });
});
