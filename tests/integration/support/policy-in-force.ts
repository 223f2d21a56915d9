import { v7 as newId } from 'uuid';
import type { Principal } from '#app/contracts/principals.ts';
import type { PolicyExample } from '#app/domain/audit/policy-example.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { publishPolicy } from '#app/engine/commands/policies/publish-policy.ts';
import type { RunFixture, Workspace } from '#tests/support/run-fixture.ts';
import type { TestDatabase, TestMember } from '#tests/support/test-database.ts';

/** A member of the workspace as a command knows them. */
export const principalOf = (test: TestDatabase, fixture: RunFixture, workspace: Workspace, member: TestMember): Principal => ({
  workspace: { id: workspace.id, name: '' },
  userId: member.id,
  name: member.name,
  roles: member.roles,
  scopes: null,
  read: (work) => test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work),
  change: (work) => fixture.asMember(workspace, member, work),
});

export const commandDeps = ({ enqueueRun, admitRun }: RunFixture): CommandDeps => ({
  engine: { enqueueRun, admitRun, sealer: { seal: () => new Uint8Array(), open: () => '' } },
  newId,
  now: () => new Date(),
});

/** Puts a policy into force as people do: the admin writes and asks, the approver agrees. Returns its id. */
export async function putInForce(
  test: TestDatabase,
  fixture: RunFixture,
  workspace: Workspace,
  policy: { name: string; text: string; examples?: PolicyExample[] },
): Promise<string> {
  const [admin, approver] = [workspace.admin, workspace.approver].map((member) => principalOf(test, fixture, workspace, member));
  if (admin === undefined || approver === undefined) throw new Error('no members');
  const deps = commandDeps(fixture);
  const { id } = await perform(createPolicy, admin, deps, { name: policy.name, description: '' });
  const asked = await perform(publishPolicy, admin, deps, {
    policy: id,
    revision: 1,
    description: '',
    reason: 'A test needs it',
    ...policy,
  });
  if (asked.state !== 'requested') throw new Error('nobody was asked');
  const { digest } = await approver.read((db) =>
    db.selectFrom('quorate.control_changes').select('digest').where('id', '=', asked.asked).executeTakeFirstOrThrow(),
  );
  await test.prove(workspace.approver, asked.asked);
  await perform(decideControlChange, approver, deps, { change: asked.asked, vote: 'approve', reason: '', digest });
  return id;
}
