import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { insertOf, newRow, type RowSubject } from '#tests/integration/support/workspace-rows.ts';
import type { TestDatabase, TestMember, TestUser } from '#tests/support/test-database.ts';

export type PopulatedWorkspace = {
  id: string;
  members: Record<'user' | 'builder' | 'approver' | 'auditor' | 'admin', TestMember>;
  newcomer: TestUser;
  subject: RowSubject;
  /** Condition that finds the one arranged row of each table. */
  rowOf: Record<string, string>;
  /** An API key of the builder, with every scope. */
  key: { id: string; hash: Buffer };
};

/** A workspace with one member of each role and a row in every table; what belongs to a person belongs to the builder. */
export async function populateWorkspace(db: TestDatabase): Promise<PopulatedWorkspace> {
  const { id, members } = await db.makeWorkspace({
    members: [{ roles: ['user'] }, { roles: ['builder'] }, { roles: ['approver'] }, { roles: ['auditor'] }, { roles: ['admin'] }],
  });
  const [user, builder, approver, auditor, admin] = members;
  if (!user || !builder || !approver || !auditor || !admin) throw new Error('members are missing');
  const newcomer = await db.makeUser();
  const key = { id: newId(), hash: createHash('sha256').update(randomBytes(16)).digest() };
  const subject: RowSubject = {
    workspaceId: id,
    actorId: builder.id,
    keyId: null,
    newcomerId: newcomer.id,
    colleagueId: user.id,
    artifactId: newId(),
    versionId: newId(),
    connectionId: newId(),
    runId: newId(),
    approvalId: newId(),
    changeId: newId(),
    incidentId: newId(),
    replayId: newId(),
    personId: newId(),
    groupId: newId(),
  };
  const capabilityId = newId();
  const fixed: Record<string, Record<string, unknown>> = {
    artifacts: { id: subject.artifactId },
    versions: { id: subject.versionId },
    connections: { id: subject.connectionId },
    capabilities: { id: capabilityId },
    gateway_tools: { capability_id: capabilityId },
    runs: { id: subject.runId },
    approvals: { id: subject.approvalId },
    control_changes: { id: subject.changeId },
    incidents: { id: subject.incidentId },
    policy_replays: { id: subject.replayId },
    directory_people: { id: subject.personId },
    directory_groups: { id: subject.groupId },
    api_keys: {
      id: key.id,
      key_hash: key.hash,
      scopes: ['runs:read', 'runs:start', 'workflows:read', 'workflows:write', 'approvals:read', 'audit:read'],
    },
  };
  // those of a workspace that `makeWorkspace` has filled already
  const standing = new Set(['workspaces', 'members', 'audit_events', 'log_audits', 'process_key']);
  const rowOf: Record<string, string> = {
    workspaces: `id = '${id}'`,
    members: `workspace_id = '${id}' and user_id = '${user.id}'`,
    audit_events: `workspace_id = '${id}'`,
    log_audits: `workspace_id = '${id}'`,
    process_key: 'is_only',
  };
  await db.arrange(id, async (client) => {
    for (const [table, row] of Object.entries(newRow)) {
      if (standing.has(table)) continue;
      const values = { ...row(subject), ...fixed[table] };
      const insert = insertOf(table, values);
      await client.query(insert.text, insert.values);
      rowOf[table] = conditionFor(values);
    }
  });
  return { id, members: { user, builder, approver, auditor, admin }, newcomer, subject, rowOf, key };
}

/** Ids, numbers and short texts tell a row apart; the rest (dates, bytes, documents) need no comparison. */
function conditionFor(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(
      ([column, value]) =>
        /(^id$|_id$|^key$|^email$|^revision$|^path$|^size$|^idx$)/.test(column) && (typeof value === 'string' || typeof value === 'number'),
    )
    .map(([column, value]) => `${column} = '${value}'`)
    .join(' and ');
}
