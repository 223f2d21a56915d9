/** A database of its own for a test file: a copy of the migrated one, with the application's own way to it. */
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import { inject } from 'vitest';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { Role } from '#app/contracts/people.ts';
import type { Mail } from '#app/contracts/ports.ts';
import type { ReauthenticatedAct } from '#app/contracts/statuses.ts';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import { createDatabase, type Database } from '#app/platform/database/database.server.ts';
import { type AppLogin, appLogin, type DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { type AuthBackend, startAuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { TEST_ORIGIN, TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

export type TestLogins = ReturnType<typeof inject<'embeddedDatabase'>>;
export type TestUser = { id: string; email: string; name: string };
export type TestMember = TestUser & { sessionId: string; roles: Role[] };
export type TestWorkspace = { id: string; name: string; slug: string };
export type WantedMember = { roles: Role[]; user?: TestUser; name?: string };

export type TestDatabase = {
  name: string;
  /** As processes reach it. */
  database: Database;
  appLogin: AppLogin;
  ownerLogin: DatabaseLogin;
  /** As the owner, whom row level security does not hold: to arrange and to look. */
  owner: pg.Pool;
  makeUser(user?: { email?: string; name?: string; confirmed?: boolean }): Promise<TestUser>;
  /** Returns the session's id. */
  makeSession(userId: string, session?: { notAfter?: Date }): Promise<string>;
  /** A workspace with its members, each with a session, in the order asked for; users are made where none is given. */
  /** `privateNetwork`: what it may reach inside; without it, the tests' own peers. `reviewsEffects`: a second person agrees to effects. */
  makeWorkspace(workspace: {
    name?: string;
    members: WantedMember[];
    privateNetwork?: WorkspaceNetwork;
    reviewsEffects?: boolean;
  }): Promise<TestWorkspace & { members: TestMember[] }>;
  /** That this member has just proved with their password that it is them, for one act on this approval or control change. */
  prove(member: Pick<TestMember, 'id' | 'sessionId'>, subject: string, act?: ReauthenticatedAct): Promise<void>;
  /** An audit event as the owner, for a change arranged in `work`; both commit together. */
  arrange(workspaceId: string, work: (client: pg.PoolClient) => Promise<void>): Promise<void>;
  /** Starts an auth service on this database; `mails` fills with what it sends. Ended with the database. */
  startAuth(): Promise<AuthBackend & { mails: Mail[] }>;
  /** Statements as the owner of the schema `auth`. */
  asAuthService(text: string): Promise<void>;
  /** Ends every connection of an application on this database, as a restart of the server would. Returns how many. */
  cutConnections(applicationName: string): Promise<number>;
  /** Drops the database. */
  close(): Promise<void>;
};

/** `logins`: another server than the one that all files share, for a test that harms it. */
export async function createTestDatabase(logins: TestLogins = inject('embeddedDatabase')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const onDatabase = (login: DatabaseLogin) => ({ ...login, database: name });
  await asSuperuser(logins.superuser, async (client) => {
    await client.query(`create database ${name} template ${pg.escapeIdentifier(logins.owner.database)} owner ${logins.owner.user}`);
    // rights on a database are not copied with it
    await client.query(`grant create on database ${name} to ${logins.auth.user}`);
  });
  const ownerLogin = onDatabase(logins.owner);
  const login = appLogin(ownerLogin, TEST_SECRET_KEY);
  const owner = new pg.Pool({ ...ownerLogin, types: columnTypes, max: 4 });
  owner.on('error', () => undefined);
  const database = createDatabase({ login, log: quietLog });
  const services: AuthBackend[] = [];

  const made: TestDatabase = {
    name,
    database,
    appLogin: login,
    ownerLogin,
    owner,
    async makeUser(wanted = {}) {
      const id = newId();
      const user: TestUser = { id, email: wanted.email ?? `${id}@example.com`, name: wanted.name ?? 'Test Person' };
      const confirmedAt = wanted.confirmed === false ? null : new Date();
      await owner.query(
        `insert into auth.users (id, aud, role, email, email_confirmed_at) values ($1, 'authenticated', 'authenticated', $2, $3)`,
        [id, user.email, confirmedAt],
      );
      await owner.query('insert into public.profiles (id, display_name) values ($1, $2)', [id, user.name]);
      return user;
    },
    async makeSession(userId, session = {}) {
      const id = newId();
      await owner.query('insert into auth.sessions (id, user_id, not_after) values ($1, $2, $3)', [id, userId, session.notAfter ?? null]);
      return id;
    },
    prove: ({ id: userId, sessionId }, subject, act = 'vote') =>
      database.noteReauthentication({ userId, sessionId, method: 'password', act, subjects: [subject] }),
    async arrange(workspaceId, work) {
      const client = await owner.connect();
      try {
        await client.query('begin');
        await work(client);
        await client.query(
          `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id) values ($1, $2, 'system', 'test.arranged', 'workspace', $3)`,
          [newId(), workspaceId, workspaceId],
        );
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    async makeWorkspace(wanted) {
      const id = newId();
      const workspace: TestWorkspace = { id, name: wanted.name ?? 'Test workspace', slug: `test-${id.slice(-12)}` };
      const members: TestMember[] = [];
      for (const member of wanted.members) {
        const user = member.user ?? (await made.makeUser(member.name === undefined ? {} : { name: member.name }));
        members.push({ ...user, roles: member.roles, sessionId: await made.makeSession(user.id) });
      }
      await made.arrange(id, async (client) => {
        await client.query(
          'insert into quorate.workspaces (id, name, slug, plan, private_network, reviews_effects) values ($1, $2, $3, $4, $5, $6)',
          [
            id,
            workspace.name,
            workspace.slug,
            'enterprise',
            JSON.stringify(wanted.privateNetwork ?? LOOPBACK_LIST),
            wanted.reviewsEffects ?? false,
          ],
        );
        for (const member of members)
          await client.query('insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, $3, $4, $5)', [
            id,
            member.id,
            member.roles,
            member.name,
            member.email,
          ]);
      });
      return { ...workspace, members };
    },
    async startAuth() {
      const mails: Mail[] = [];
      const auth = await startAuthBackend({
        login: onDatabase(logins.auth),
        origin: TEST_ORIGIN,
        secretKey: TEST_SECRET_KEY,
        log: quietLog,
        sendMail: (mail) => void mails.push(mail),
      });
      services.push(auth);
      await auth.warm();
      return Object.assign(auth, { mails });
    },
    async asAuthService(text) {
      const client = new pg.Client(onDatabase(logins.auth));
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    },
    async cutConnections(applicationName) {
      let count = 0;
      await asSuperuser(logins.superuser, async (client) => {
        const cut = await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2',
          [name, applicationName],
        );
        count = cut.rowCount ?? 0;
      });
      return count;
    },
    async close() {
      await Promise.all(services.map((auth) => auth.close()));
      await database.close();
      await owner.end();
      await asSuperuser(logins.superuser, async (client) => void (await client.query(`drop database ${name} with (force)`)));
    },
  };
  return made;
}

async function asSuperuser(superuser: DatabaseLogin, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** An access token as the embedded auth service signs them. */
export function signAccessToken(
  jwtSecret: string,
  subject: { userId: string; sessionId: string; email: string },
  expiresInSeconds = 3_600,
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    sub: subject.userId,
    aud: 'authenticated',
    role: 'authenticated',
    email: subject.email,
    session_id: subject.sessionId,
    iat: now,
    exp: now + expiresInSeconds,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}
