import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { z } from 'zod';
import { API_KEY_SCOPES, type Role } from '#app/contracts/people.ts';
import type { EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { commandDeps, principalOf } from '#tests/integration/support/policy-in-force.ts';
import type { RunFixture, Workspace } from '#tests/support/run-fixture.ts';
import type { TestDatabase, TestMember } from '#tests/support/test-database.ts';

export type ControlDesk = ReturnType<typeof openControlDesk>;

/** Control changes of a workspace as people, programs and the application's own login reach them. */
export function openControlDesk(database: TestDatabase, fixture: RunFixture, workspace: Workspace) {
  const as = (member: TestMember) => principalOf(database, fixture, workspace, member);
  const deps = () => commandDeps(fixture);
  const changeOf = async (id: string) => (await database.owner.query('select * from quorate.control_changes where id = $1', [id])).rows[0];
  return {
    as,
    deps,
    changeOf,
    async vote(by: TestMember, change: string, more: Partial<z.input<typeof decideControlChange.input>> = {}) {
      await database.prove(by, change);
      const { digest } = await changeOf(change);
      return perform(decideControlChange, as(by), deps(), { change, vote: 'approve', reason: '', digest, ...more });
    },
    /** Another member with these roles, as an earlier agreement made them. */
    async join(roles: Role[]): Promise<TestMember> {
      const user = await database.makeUser();
      await database.arrange(workspace.id, async (client) => {
        await client.query('insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, $3, $4, $5)', [
          workspace.id,
          user.id,
          roles,
          'Joined',
          user.email,
        ]);
      });
      return { ...user, roles, sessionId: await database.makeSession(user.id) };
    },
    /** The roles that a member has from now on, whatever was agreed. */
    async setRoles(member: TestMember, roles: Role[]): Promise<void> {
      await database.arrange(workspace.id, async (client) => {
        await client.query('update quorate.members set roles = $3 where workspace_id = $1 and user_id = $2', [
          workspace.id,
          member.id,
          roles,
        ]);
      });
    },
    /** Asks for a change with a subject and a due time of one's own, as a stolen login could. */
    async ask(by: TestMember, asked: { kind: string; resource: string; before: unknown; after: unknown; due?: string }): Promise<string> {
      const id = newId();
      const { due = '1 day', ...subject } = asked;
      const text = JSON.stringify({ ...subject, reason: 'x', workspace: workspace.id });
      await fixture.asMember(workspace, by, async (db) => {
        await sql`select quorate.request_control_change(${id}, ${text}::json, now() + ${due}::interval)`.execute(db);
        return { result: null, event: { action: 'change.requested', resource: { kind: 'change', id } } };
      });
      return id;
    },
    /** A statement as a member's transaction of the application's own login. Answers the SQLSTATE, or `done`. */
    statement: (member: TestMember, text: string): Promise<string> =>
      fixture
        .asMember(workspace, member, async (db) => {
          await sql.raw(text).execute(db);
          return { result: 'done', event: { action: 'policy.paused', resource: { kind: 'policy', id: 'x' } } };
        })
        .catch(stateOf),
    /** The same as a program with an API key of this member, with every scope. */
    async statementByKey(member: TestMember, text: string): Promise<string> {
      const hash = createHash('sha256').update(newId()).digest();
      await database.arrange(
        workspace.id,
        async (client) =>
          void (await client.query(
            `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, expires_at)
             values ($1, $2, $3, 'States', 'qk', $4, $5, now() + interval '1 day')`,
            [newId(), workspace.id, member.id, hash, [...API_KEY_SCOPES]],
          )),
      );
      return database.database
        .asKey(hash, (db) => sql.raw(text).execute(db))
        .then(() => 'done')
        .catch(stateOf);
    },
  };
}

const stateOf = (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code ?? 'no code';

/** Evidence that this member may take out, as another person's agreement made it. */
export async function allowExport(database: TestDatabase, workspace: string, by: string, exported: EvidenceExport): Promise<void> {
  const asked = { by, ...exported };
  const subject = JSON.stringify({ kind: 'evidence_export', workspace, after: { export: asked, granted: true } });
  const [change, digest] = [newId(), createHash('sha256').update(subject).digest('hex')];
  await database.arrange(workspace, async (client) => {
    await client.query(
      `insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, status, due_at)
       values ($1, $2, 'evidence_export', $2, $3, $4, $5, 'approved', now() + interval '1 day')`,
      [change, workspace, subject, digest, by],
    );
    await client.query(
      `insert into quorate.evidence_grants (change_id, workspace_id, user_id, export, ends_at)
       values ($1, $2, $3, $4, now() + interval '1 day')`,
      [change, workspace, by, JSON.stringify(asked)],
    );
  });
}

/** The id of the change that a command asked for. */
export function askedOf(outcome: { state: string; asked?: string }): string {
  if (outcome.asked === undefined) throw new Error(`nobody was asked: ${outcome.state}`);
  return outcome.asked;
}
