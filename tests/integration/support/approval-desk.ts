/** A workspace with approvers, and approvals that wait there, made without a run's walk. */
import { v7 as newId } from 'uuid';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { perform } from '#app/engine/commands/perform.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

/** Ines starts the runs, Otto wrote what runs; Ada and Ben are approvers, Anna an admin, Paul an auditor. */
const NAMES = { initiator: 'Ines', author: 'Otto', ada: 'Ada', ben: 'Ben', admin: 'Anna', plain: 'Paul' } as const;
export type Person = keyof typeof NAMES;

export type ApprovalDesk = Awaited<ReturnType<typeof openApprovalDesk>>;

export async function openApprovalDesk() {
  const test = await createTestDatabase();
  const approver = (name: string) => ({ roles: ['user', 'approver'] as TestMember['roles'], name });
  const workspace = await test.makeWorkspace({
    members: [
      approver(NAMES.initiator),
      { roles: ['user', 'builder', 'approver'], name: NAMES.author },
      approver(NAMES.ada),
      approver(NAMES.ben),
      { roles: ['user', 'admin'], name: NAMES.admin },
      { roles: ['user', 'auditor'], name: NAMES.plain },
    ],
  });
  const [initiator, author, ada, ben, admin, plain] = workspace.members;
  if (!initiator || !author || !ada || !ben || !admin || !plain) throw new Error('no members');
  const people: Record<Person, TestMember> = { initiator, author, ada, ben, admin, plain };
  const other = await test.makeWorkspace({ members: [approver('Zoe')] });
  const [member] = other.members;
  if (!member) throw new Error('no member');
  return { test, workspaceId: workspace.id, people, stranger: { member, workspaceId: other.id }, ...actsOn(test, workspace.id, people) };
}

function actsOn(test: TestDatabase, workspaceId: string, people: Record<Person, TestMember>) {
  const as = <T>(member: TestMember, work: (db: Db) => Promise<T>, workspace = workspaceId): Promise<T> =>
    test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace }, work);
  /** Each change commits with its one event, as the application does it. */
  const principal = (member: TestMember, workspace = workspaceId): Principal => ({
    workspace: { id: workspace, name: 'Workspace' },
    userId: member.id,
    name: member.name,
    roles: member.roles,
    scopes: null,
    read: (work) => as(member, work, workspace),
    change: <T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>) =>
      as(
        member,
        async (db) => {
          const { result, event } = await work(db);
          const actor = { kind: 'member', id: member.id, name: member.name } as const;
          await recordEvent(db, { id: newId(), actor, workspaceId: workspace, entry: event });
          return result;
        },
        workspace,
      ),
  });
  return {
    as,
    principal,
    deps: { newId, now: () => new Date(), engine: {} } as unknown as Parameters<typeof perform>[2],
    makeApproval: (dueInSeconds = 3600, asked: Person = 'initiator', wrote: Person = 'author') =>
      insertApproval(test, workspaceId, { dueInSeconds, asked: people[asked].id, wrote: people[wrote].id }),
    ...looksAt(test, workspaceId),
  };
}

/** Rows of the database, read past every policy. */
function looksAt(test: TestDatabase, workspaceId: string) {
  const query = async <Row>(text: string, values: unknown[]): Promise<Row[]> => (await test.owner.query(text, values)).rows as Row[];
  return {
    holderOf: async (approval: string) => {
      const rows = await query<{ holder: string | null }>(
        'select quorate.approval_holder(a) as holder from quorate.approvals a where id = $1',
        [approval],
      );
      return rows[0]?.holder ?? null;
    },
    /** Keys of what somebody was told about a thing, in order; 'read' where nothing is left to look at. */
    noticesOf: async (member: TestMember, about: string) => {
      const rows = await query<{ said: string }>(
        `select subject ->> 'key' || case when read_at is null then '' else ' read' end as said from quorate.notifications
         where user_id = $1 and subject #>> '{about,id}' = $2 order by created_at, id`,
        [member.id, about],
      );
      return rows.map(({ said }) => said);
    },
    eventsOf: (resource: string) =>
      query(`select action, actor_id, payload ->> 'to' as to from quorate.audit_events where resource_id = $1 order by at, id`, [resource]),
    withdraw: (approval: string) =>
      test.arrange(workspaceId, async (client) => {
        await client.query(`update quorate.approvals set status = 'withdrawn' where id = $1`, [approval]);
      }),
    setRoles: (member: TestMember, roles: string[]) =>
      test.arrange(workspaceId, async (client) => {
        await client.query('update quorate.members set roles = $1 where workspace_id = $2 and user_id = $3', [
          roles,
          workspaceId,
          member.id,
        ]);
      }),
    /** Moves an approval of an hour so that so many seconds are left, with its next reminder. */
    leave: (approval: string, seconds: number) =>
      test.owner.query(
        `update quorate.approvals set due_at = clock_timestamp() + make_interval(secs => $2),
           created_at = clock_timestamp() + make_interval(secs => $2 - 3600),
           remind_at = clock_timestamp() + make_interval(secs => $2 - 3600 / case reminders when 0 then 4 when 1 then 8 else 16 end) where id = $1`,
        [approval, seconds],
      ),
  };
}

async function insertApproval(
  test: TestDatabase,
  workspaceId: string,
  { dueInSeconds, asked, wrote }: { dueInSeconds: number; asked: string; wrote: string },
): Promise<string> {
  const [artifact, version, run, approval] = [newId(), newId(), newId(), newId()];
  await test.arrange(workspaceId, async (client) => {
    await client.query(`insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Flow', $3)`, [
      artifact,
      workspaceId,
      wrote,
    ]);
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)`,
      [version, workspaceId, artifact, wrote],
    );
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'waiting')`,
      [run, workspaceId, artifact, version, asked],
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
       values ($1, $2, $3, 'send', 'Send it', '{}', 'd', '{"key":"policyAllowed","values":{}}', 'medium', $4, $5, clock_timestamp() + make_interval(secs => $6))`,
      [approval, workspaceId, run, asked, wrote, dueInSeconds],
    );
  });
  return approval;
}
