import type { PoolClient } from 'pg';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
let elsewhere: PopulatedWorkspace;
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
  elsewhere = await populateWorkspace(db);
});
afterAll(() => db.close());

/** Runs statements as the owner, whom no policy holds: what refuses here refuses everyone. Returns the SQLSTATE or 'committed'. */
async function outcome(work: (client: PoolClient) => Promise<void>): Promise<string> {
  const client = await db.owner.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
    return 'committed';
  } catch (error) {
    await client.query('rollback');
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    client.release();
  }
}
const event = (client: PoolClient, workspaceId: string) =>
  client.query(
    `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id) values ($1, $2, 'system', 'test.done', 'workspace', 'x')`,
    [newId(), workspaceId],
  );

const changes: Record<string, (workspace: PopulatedWorkspace) => string> = {
  'a workflow is renamed': (w) => `update quorate.artifacts set name = 'Other ' || random() where id = '${w.subject.artifactId}'`,
  'a member’s roles change': (w) => `update quorate.members set roles = '{user,builder}' where user_id = '${w.members.user.id}'`,
  'a workspace is halted': (w) => `update quorate.workspaces set halted_at = clock_timestamp() where id = '${w.id}'`,
  'a key is revoked': (w) => `update quorate.api_keys set revoked_at = clock_timestamp() where id = '${w.key.id}'`,
  'a run is cancelled': (w) => `update quorate.runs set cancel_requested_at = clock_timestamp() where id = '${w.subject.runId}'`,
  'a connection is renamed': (w) => `update quorate.connections set name = 'Other ' || random() where id = '${w.subject.connectionId}'`,
  'a draft is saved': (w) =>
    `insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) values ('${w.id}', '${w.subject.artifactId}', ${Math.floor(Math.random() * 1e9)}, '{}', '${w.members.builder.id}')`,
};

describe.each(Object.entries(changes))('when %s', (_, statement) => {
  test('it commits with one event and with no other number of them', async () => {
    expect(await outcome(async (client) => void (await client.query(statement(here))))).toBe('QA001');
    expect(
      await outcome(async (client) => {
        await client.query(statement(here));
        await event(client, here.id);
        await event(client, here.id);
      }),
    ).toBe('QA001');
    expect(
      await outcome(async (client) => {
        await client.query(statement(here));
        await event(client, elsewhere.id);
      }),
    ).toBe('QA001');
    expect(
      await outcome(async (client) => {
        await client.query(statement(here));
        await event(client, here.id);
      }),
    ).toBe('committed');
  });
});

test('an event without a change is one event; two are refused', async () => {
  expect(await outcome(async (client) => void (await event(client, here.id)))).toBe('committed');
  expect(
    await outcome(async (client) => {
      await event(client, here.id);
      await event(client, here.id);
    }),
  ).toBe('QA001');
});

describe('the log', () => {
  async function placedEvent(): Promise<string> {
    const id = newId();
    await db.owner.query(
      `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, salt, body_digest) values ($1, $2, 'system', 'test.done', 'workspace', 'x', '\\x01', '\\x02')`,
      [id, here.id],
    );
    await db.owner.query(`update quorate.audit_events set leaf_index = $2, leaf_hash = '\\x03' where id = $1`, [
      id,
      Math.floor(Math.random() * 1e9),
    ]);
    return id;
  }

  test.each([
    "action = 'forged'",
    "actor_name = 'forged'",
    'payload = \'{"a":1}\'',
    'leaf_index = leaf_index + 1',
    "leaf_hash = '\\x04'",
    "at = at - interval '1 day'",
    'workspace_id = gen_random_uuid()',
  ])('refuses %s once an event is placed', async (change) => {
    const id = await placedEvent();
    expect(
      await outcome(async (client) => void (await client.query(`update quorate.audit_events set ${change} where id = $1`, [id]))),
    ).toBe('QA002');
  });

  test('refuses another body while an event waits for its place', async () => {
    const id = newId();
    await db.owner.query(
      `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id) values ($1, $2, 'system', 'test.done', 'workspace', 'x')`,
      [id, here.id],
    );
    expect(
      await outcome(async (client) => void (await client.query(`update quorate.audit_events set action = 'forged' where id = $1`, [id]))),
    ).toBe('QA002');
  });

  test('lets a body be erased while its digest stays', async () => {
    const id = await placedEvent();
    expect(
      await outcome(
        async (client) =>
          void (await client.query(`update quorate.audit_events set payload = '{}', actor_name = null, salt = null where id = $1`, [id])),
      ),
    ).toBe('committed');
  });
});

test.each(['versions', 'decisions', 'approval_votes', 'approval_comments'])('a row of %s never changes', async (table) => {
  const column = { versions: 'content_hash', decisions: 'action', approval_votes: 'reason', approval_comments: 'kind' }[table] ?? '';
  expect(
    await outcome(
      async (client) => void (await client.query(`update quorate.${table} set ${column} = 'forged' where ${here.rowOf[table]}`)),
    ),
  ).toBe('QA003');
});
