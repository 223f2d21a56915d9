/** The functions that do one thing for someone who is nobody yet: each holds on its own, and when many ask at once. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { createTestDatabase, type TestDatabase, type TestUser } from '#tests/support/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

/** As bare quorate_app. Returns the one value, or the SQLSTATE of the refusal. */
async function call(query: ReturnType<typeof sql<{ value: unknown }>>): Promise<unknown> {
  try {
    return (await db.database.app((tx) => query.execute(tx))).rows[0]?.value;
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (cause instanceof Error && 'code' in cause) return cause.code;
    throw error;
  }
}

describe('a first sign-in', () => {
  const ensure = (user: TestUser) => {
    const workspace = newId();
    return call(
      sql`select quorate.ensure_account(${user.id}, ${user.email}, ${user.name}, ${workspace}, 'Mine', ${`mine-${workspace.slice(-12)}`}, ${newId()}, 'always') as value`,
    );
  };

  test('makes one workspace, however many requests come at once and again', async () => {
    const user = await db.makeUser();
    const answers = [...(await Promise.all([1, 2, 3, 4].map(() => ensure(user)))), await ensure(user)];
    expect(new Set(answers).size).toBe(1);
    const { rows } = await db.owner.query(
      "select m.roles, w.plan, w.trial_ends_at > now() + interval '29 days' as trial from quorate.members m join quorate.workspaces w on w.id = m.workspace_id where m.user_id = $1",
      [user.id],
    );
    expect(rows).toEqual([{ roles: ['user', 'builder', 'admin'], plan: 'professional', trial: true }]);
    const events = await db.owner.query('select action from quorate.audit_events where workspace_id = $1', [answers[0]]);
    expect(events.rows).toEqual([{ action: 'workspace.created' }]);
  });

  test('goes to the workspace one has already', async () => {
    const { id, members } = await db.makeWorkspace({ members: [{ roles: ['user', 'admin'] }] });
    expect(members[0] && (await ensure(members[0]))).toBe(id);
  });
});

describe('an invitation', () => {
  async function invite(
    email: string,
    values: { expiresAt?: Date; withdrawnAt?: Date } = {},
  ): Promise<{ workspaceId: string; hash: Buffer }> {
    const { id, members } = await db.makeWorkspace({ name: 'Inviting', members: [{ roles: ['admin'] }] });
    const hash = createHash('sha256').update(randomBytes(16)).digest();
    await db.arrange(id, async (client) => {
      await client.query(
        `insert into quorate.invitations (id, workspace_id, email, roles, token_hash, invited_by, expires_at, withdrawn_at) values ($1, $2, $3, '{user,auditor}', $4, $5, $6, $7)`,
        [newId(), id, email, hash, members[0]?.id, values.expiresAt ?? new Date(Date.now() + 60_000), values.withdrawnAt ?? null],
      );
    });
    return { workspaceId: id, hash };
  }
  const answer = (hash: Buffer, user: TestUser, sessionId: string, accept = true) =>
    call(sql`select quorate.answer_invitation(${hash}, ${user.id}, ${sessionId}, ${accept}, ${user.name}, ${newId()}) as value`);
  const state = (hash: Buffer) => call(sql`select state as value from quorate.peek_invitation(${hash})`);

  test('makes a member of whom it was sent to, once', async () => {
    const user = await db.makeUser({ email: 'Guest@Example.com' });
    const sessionId = await db.makeSession(user.id);
    const { workspaceId, hash } = await invite('guest@example.com');
    expect(await state(hash)).toBe('open');
    const answers = await Promise.all([1, 2, 3].map(() => answer(hash, user, sessionId)));
    expect(answers.toSorted()).toEqual([workspaceId, 'QP006', 'QP006'].toSorted());
    expect(await state(hash)).toBe('accepted');
    expect(
      (await db.owner.query('select roles from quorate.members where workspace_id = $1 and user_id = $2', [workspaceId, user.id])).rows,
    ).toEqual([{ roles: ['user', 'auditor'] }]);
  });

  test('is nobody else’s, and not that of an address that was never confirmed', async () => {
    const other = await db.makeUser();
    const unconfirmed = await db.makeUser({ email: 'invited@example.com', confirmed: false });
    const { hash } = await invite('invited@example.com');
    expect(await answer(hash, other, await db.makeSession(other.id))).toBe('QP007');
    expect(await answer(hash, unconfirmed, await db.makeSession(unconfirmed.id))).toBe('QP007');
    expect(await answer(hash, unconfirmed, await db.makeSession(other.id))).toBe('QP001');
    expect(await state(hash)).toBe('open');
  });

  test('ends when declined, withdrawn or over, and an unknown one never was', async () => {
    const user = await db.makeUser({ email: 'late@example.com' });
    const sessionId = await db.makeSession(user.id);
    const declined = await invite(user.email);
    expect(await answer(declined.hash, user, sessionId, false)).toBe(declined.workspaceId);
    const expired = await invite(user.email, { expiresAt: new Date(Date.now() - 1_000) });
    const withdrawn = await invite(user.email, { withdrawnAt: new Date() });
    expect([await state(declined.hash), await state(expired.hash), await state(withdrawn.hash), await state(randomBytes(32))]).toEqual([
      'declined',
      'expired',
      'withdrawn',
      undefined,
    ]);
    for (const hash of [declined.hash, expired.hash, withdrawn.hash, randomBytes(32)])
      expect(await answer(hash, user, sessionId)).toBe('QP006');
    expect((await db.owner.query('select from quorate.members where user_id = $1', [user.id])).rowCount).toBe(0);
  });
});

describe('an attempt limit', () => {
  const take = (key: string, max: number, seconds: number) => call(sql`select quorate.take_limit(${key}, ${max}, ${seconds}) as value`);

  test('lets through exactly as many as it says, also of those that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => take('at once', 5, 60)));
    expect(answers.filter((wait) => wait === 0)).toHaveLength(5);
    for (const wait of answers.filter((value) => value !== 0)) expect(wait).toBeOneOf(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(await take('another key', 5, 60)).toBe(0);
  });

  test('does not grow forever: each first hit clears away two counts that nobody has asked for since yesterday', async () => {
    const old = ['old 1', 'old 2', 'old 3'];
    for (const key of [...old, 'fresh']) await call(sql`select quorate.take_limit(${key}, 5, 60) as value`);
    await db.owner.query(
      `update quorate.rate_limits set window_started_at = clock_timestamp() - interval '25 hours' where key = any ($1)`,
      [old],
    );
    const left = async () => (await db.owner.query(`select count(*)::int as n from quorate.rate_limits where key like 'old _'`)).rows[0]?.n;
    expect(await call(sql`select quorate.take_limit('fresh', 5, 60) as value`)).toBe(0);
    expect(await left()).toBe(3);
    expect(await call(sql`select quorate.take_limit('one more', 5, 60) as value`)).toBe(0);
    expect(await left()).toBe(1);
  });

  test('begins again when its window is over', async () => {
    expect([await take('window', 1, 60), await take('window', 1, 60)]).toEqual([0, expect.any(Number)]);
    await db.owner.query(
      `update quorate.rate_limits set window_started_at = clock_timestamp() - interval '61 seconds' where key = 'window'`,
    );
    expect(await take('window', 1, 60)).toBe(0);
  });
});

describe('the newsletter', () => {
  const subscribe = (email: string, refused = false) =>
    call(sql`select quorate.subscribe_newsletter(${email}, 'en', ${refused})::text as value`);
  const stored = (email: string) =>
    db.owner.query('select email, language, sharing_refused from quorate.newsletter_subscribers where email = $1', [email]);

  test('stores an address once, in small letters, however many ask at once', async () => {
    await Promise.all(['reader@example.com', 'Reader@example.com', 'READER@EXAMPLE.COM'].map((email) => subscribe(email)));
    expect((await stored('reader@example.com')).rows).toEqual([{ email: 'reader@example.com', language: 'en', sharing_refused: false }]);
  });

  test('keeps a refusal to share, whatever is sent later', async () => {
    for (const refused of [false, true, false]) await subscribe('private@example.com', refused);
    expect((await stored('private@example.com')).rows).toMatchObject([{ sharing_refused: true }]);
  });
});
