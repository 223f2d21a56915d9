/** The inventory of agents: who keeps it, who reads it, what uses an agent, and reviews that are overdue. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { z } from 'zod';
import { EMPTY_AGENT } from '#app/domain/workflows/agent.ts';
import { assessAgent } from '#app/engine/commands/agents/assess-agent.ts';
import { createAgent } from '#app/engine/commands/agents/create-agent.ts';
import { recordAgent } from '#app/engine/commands/agents/record-agent.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { findAgent } from '#app/engine/inventory/find-agent.ts';
import { readAgentRecord } from '#app/engine/inventory/read-agent-record.ts';
import { readLatestAssessments, readVersions } from '#app/engine/inventory/read-assessments.ts';
import { readUses } from '#app/engine/inventory/read-uses.ts';
import { type ApprovalDesk, openApprovalDesk } from '#tests/integration/support/approval-desk.ts';
import type { TestMember } from '#tests/support/test-database.ts';

let desk: ApprovalDesk;
let agent: string;
beforeAll(async () => {
  desk = await openApprovalDesk();
});
afterAll(() => desk.test.close());
beforeEach(async () => {
  const about = { name: 'Triage', description: '', tags: [] };
  agent = (await perform(createAgent, desk.principal(desk.people.author), desk.deps, { about, document: EMPTY_AGENT })).id;
});

type Given = Partial<z.input<typeof recordAgent.input>>;
const record = (by: TestMember, given: Given = {}) =>
  perform(recordAgent, desk.principal(by), desk.deps, {
    ...{ agent, owner: null, purpose: 'Sorts requests', riskClass: null, dataClasses: [], reviewOn: null },
    ...given,
  });
const kept = (by: TestMember) => desk.as(by, (db) => readAgentRecord(db, agent));
const remind = () => desk.test.database.app((db) => sql`select quorate.remind_agent_reviews()`.execute(db));

it('is kept by builders, approvers and admins, and read by whoever sees all runs and by the owner', async () => {
  const { author, ada, admin, plain, ben } = desk.people;
  for (const by of [author, ada, admin]) await record(by, { dataClasses: ['special', 'public'], riskClass: 'high', owner: ada.id });
  await expect(record(plain)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await kept(plain))?.record).toEqual({
    ...{ owner: ada.id, purpose: 'Sorts requests', riskClass: 'high', dataClasses: ['public', 'special'], reviewOn: null },
  });
  await desk.setRoles(ben, ['user']);
  expect(await kept({ ...ben, roles: ['user'] })).toBeNull();
  await record(admin, { owner: ben.id, riskClass: 'high' });
  expect((await kept({ ...ben, roles: ['user'] }))?.ownerName).toBe(ben.name);
  await desk.setRoles(ben, ['user', 'approver']);
  const events = (await desk.eventsOf(agent)) as { action: string }[];
  expect(events.filter(({ action }) => action === 'agent.recorded')).toHaveLength(4);
});

it('names members alone as owners, and agents of this workspace alone', async () => {
  const { admin } = desk.people;
  await expect(record(admin, { owner: desk.stranger.member.id })).rejects.toMatchObject({ field: 'owner' });
  await expect(record(admin, { agent: newId() })).rejects.toMatchObject({ code: 'not_found' });
  const elsewhere = perform(recordAgent, desk.principal(desk.stranger.member, desk.stranger.workspaceId), desk.deps, {
    ...{ agent, owner: null, purpose: '', riskClass: null, dataClasses: [], reviewOn: null },
  });
  await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
});

it('keeps its risk class until another person agrees to a lower one; the rest is written at once', async () => {
  const { admin } = desk.people;
  await record(admin, { riskClass: 'high' });
  await expect(record(admin, { riskClass: 'minimal' })).rejects.toMatchObject({ field: 'reason' });
  expect(await record(admin, { riskClass: 'minimal', purpose: 'Counts', reason: 'It only counts' })).toMatchObject({ state: 'requested' });
  expect((await kept(admin))?.record).toMatchObject({ riskClass: 'high', purpose: 'Counts' });
  expect(await record(admin, { riskClass: 'prohibited' })).toEqual({ state: 'done' });
});

it('tells the owner once that a review is overdue, and the admins where nobody owns it; again for another day', async () => {
  const { ada, admin } = desk.people;
  await record(admin, { owner: ada.id, reviewOn: '2099-01-01' });
  await remind();
  expect(await desk.noticesOf(ada, agent)).toEqual([]);
  await record(admin, { owner: ada.id, reviewOn: '2026-01-01' });
  await Promise.all([remind(), remind()]);
  await remind();
  expect([await desk.noticesOf(ada, agent), await desk.noticesOf(admin, agent)]).toEqual([['notifyAgentReview'], []]);
  await record(admin, { owner: null, reviewOn: '2026-02-01' });
  await remind();
  expect(await desk.noticesOf(admin, agent)).toEqual(['notifyAgentReview']);
});

it('lists the workflows whose version in force calls the agent', async () => {
  const { author } = desk.people;
  const id = newId();
  const step = { id: 'a', name: 'A', kind: 'agent', connection: '@agents', capability: agent, input: {} };
  await desk.test.arrange(desk.workspaceId, async (client) => {
    await client.query(
      `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Uses it', $3)`,
      [id, desk.workspaceId, author.id],
    );
    const document = JSON.stringify({ format: 'quorate.workflow/1', input: [], steps: [step] });
    const version = newId();
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, $4, 'h', $5)`,
      [version, desk.workspaceId, id, document, author.id],
    );
    await client.query(`update quorate.artifacts set published_version_id = $1, status = 'active' where id = $2`, [version, id]);
  });
  const uses = await desk.as(author, async (db) => readUses(db, desk.workspaceId, await findAgent(db, desk.workspaceId, agent)));
  expect(uses).toEqual([{ id, name: 'Uses it' }]);
});

it('is assessed in versions that keep the facts of their time, over the version that was seen', async () => {
  const { author, admin, plain } = desk.people;
  const answers = { process: 'Sorting requests', period: '', people: '', harms: '', necessity: '', oversight: '', measures: '' };
  const assess = (by: TestMember, seen: number) => perform(assessAgent, desk.principal(by), desk.deps, { agent, revision: seen, answers });
  await record(admin, { riskClass: 'limited', owner: admin.id });
  expect(await assess(author, 0)).toEqual({ number: 1 });
  await expect(assess(admin, 0)).rejects.toMatchObject({ reasons: [{ key: 'assessmentChanged' }] });
  await record(admin, { riskClass: 'high', purpose: 'Sorts mail' });
  const outcomes = await Promise.allSettled([assess(author, 1), assess(admin, 1)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(assess(plain, 2)).rejects.toMatchObject({ code: 'forbidden' });
  const versions = await desk.as(plain, (db) => readVersions(db, desk.workspaceId, agent));
  expect(versions.map(({ number, facts }) => [number, facts.riskClass, facts.purpose, facts.owner])).toEqual([
    [2, 'high', 'Sorts mail', null],
    [1, 'limited', 'Sorts requests', admin.name],
  ]);
  const latest = await desk.as(plain, (db) => readLatestAssessments(db, desk.workspaceId, new Date(Date.now() + 1000)));
  expect(latest.filter((one) => one.agent === agent).map(({ number, name }) => [number, name])).toEqual([[2, 'Triage']]);
  await expect(desk.test.owner.query(`update quorate.impact_assessments set number = 9`)).rejects.toMatchObject({ code: 'QA003' });
});

it('is written by several at once, one after the other', async () => {
  const { author, ada, admin } = desk.people;
  await Promise.all([author, ada, admin].map((by) => record(by)));
  const events = (await desk.eventsOf(agent)) as { action: string }[];
  expect(events.filter(({ action }) => action === 'agent.recorded')).toHaveLength(3);
});
