/** A workspace of one person works, is told so, and its log says of each control change that nobody else agreed to it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForEvidence } from '#app/engine/commands/evidence/ask-for-evidence.ts';
import { takeEvidence } from '#app/engine/commands/evidence/take-evidence.ts';
import { liftHalt } from '#app/engine/commands/halt/lift-halt.ts';
import { orderHalt } from '#app/engine/commands/halt/order-halt.ts';
import { changeRoles } from '#app/engine/commands/members/change-roles.ts';
import { removeMember } from '#app/engine/commands/members/remove-member.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { enforcePolicy } from '#app/engine/commands/policies/enforce-policy.ts';
import { publishPolicy } from '#app/engine/commands/policies/publish-policy.ts';
import { reviewEffects } from '#app/engine/commands/workspaces/review-effects.ts';
import { sendCheckpoints } from '#app/engine/commands/workspaces/send-checkpoints.ts';
import { setPrivateNetwork } from '#app/engine/commands/workspaces/set-private-network.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { openControlDesk } from '#tests/integration/support/control-desk.ts';
import { createRunFixture, type RunFixture } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let fixture: RunFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

test('whatever one person changes takes effect at once, and each event says that nobody else agreed', async () => {
  const made = await database.makeWorkspace({ members: [{ roles: ['user', 'builder', 'admin'] }], reviewsEffects: true });
  const [person] = made.members;
  if (person === undefined) throw new Error('nobody is there');
  const desk = openControlDesk(database, fixture, { ...made, builder: person, approver: person, admin: person });
  const act = [desk.as(person), desk.deps()] as const;
  const who = { userId: person.id, sessionId: person.sessionId, workspaceId: made.id };
  expect(await database.database.asMember(who, secondPersonAgrees)).toBe(false);

  const helper = await desk.join(['user']);
  const { rows } = await database.owner.query(
    "select id from quorate.artifacts where workspace_id = $1 and name = 'High risk needs an approver'",
    [made.id],
  );
  await perform(enforcePolicy, ...act, { policy: rows[0].id, inForce: false });
  const { id } = await perform(createPolicy, ...act, { name: 'Large sums', description: '' });
  const text = '@id("a") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { context.risk == "high" };';
  await perform(publishPolicy, ...act, { policy: id, revision: 1, name: 'Large sums', description: '', text });
  await perform(reviewEffects, ...act, { on: false });
  await perform(setPrivateNetwork, ...act, { network: ['10.0.0.1'], instance: ['10.0.0.0/8'] });
  await perform(sendCheckpoints, ...act, { mail: false, webhook: null });
  await perform(changeRoles, ...act, { userId: helper.id, roles: ['user', 'auditor'] });
  await perform(removeMember, ...act, { userId: helper.id });
  const exported = { kind: 'log', from: 0, until: 9 } as const;
  await perform(askForEvidence, ...act, { export: exported, reason: 'The supervisor asks' });
  await perform(takeEvidence, ...act, { export: exported, part: '0', file: 'evidence-log-0.json' });
  await perform(orderHalt, ...act, { reason: 'Stop' });
  await perform(liftHalt, ...act, { reason: 'Over', title: 'Lift it' });
  const events = await database.owner.query(
    "select action from quorate.audit_events where workspace_id = $1 and payload ->> 'separated' = 'false' order by id",
    [made.id],
  );
  expect(events.rows.map(({ action }) => action)).toEqual([
    'policy.paused',
    'policy.published',
    'workspace.configured',
    'workspace.configured',
    'workspace.configured',
    'member.rolesChanged',
    'member.removed',
    'evidence.exportAllowed',
    'evidence.exported',
    'workspace.released',
  ]);
});

test('what moves no control, and what one gives up oneself, says nothing of it', async () => {
  const made = await database.makeWorkspace({ members: [{ roles: ['user', 'admin'] }, { roles: ['user', 'admin'] }] });
  const [first, second] = made.members;
  if (first === undefined || second === undefined) throw new Error('nobody is there');
  const desk = openControlDesk(database, fixture, { ...made, builder: first, approver: first, admin: first });
  const helper = await desk.join(['user']);
  await perform(changeRoles, desk.as(first), desk.deps(), { userId: helper.id, roles: ['user', 'builder'] });
  await perform(changeRoles, desk.as(second), desk.deps(), { userId: second.id, roles: ['user'] });
  const events = await database.owner.query(
    "select payload from quorate.audit_events where workspace_id = $1 and action = 'member.rolesChanged'",
    [made.id],
  );
  expect(events.rows.map(({ payload }) => payload)).toEqual([
    { before: ['user'], after: ['user', 'builder'] },
    { before: ['user', 'admin'], after: ['user'] },
  ]);
});
