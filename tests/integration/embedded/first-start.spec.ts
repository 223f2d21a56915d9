import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { freshDataDirectory, type RunningServer, startRunningServer } from '#tests/support/running-server.ts';

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.remove();
  server = undefined;
});

/** What stands in the database of a running server, seen with its superuser's eyes. */
async function whatStands({ dataDirectory }: RunningServer) {
  const address = JSON.parse(readFileSync(join(dataDirectory, 'database.json'), 'utf8'));
  const password = readFileSync(join(dataDirectory, 'database-password'), 'utf8').trim();
  const client = new pg.Client({ ...superuserLogin(address, password), database: address.database });
  await client.connect();
  try {
    const { rows } = await client.query(`select
      (select count(*)::int from auth.users) as users,
      (select count(*)::int from quorate.workspaces) as workspaces,
      (select count(*)::int from quorate.workspaces where is_demo) as demos,
      (select count(*)::int from quorate.members) as members,
      (select count(*)::int from quorate.connections) as connections,
      (select count(*)::int from quorate.capabilities where approved_fingerprint is distinct from fingerprint) as unapproved,
      (select count(*)::int from quorate.artifacts where kind = 'policy' and status = 'active') as policies,
      (select count(*)::int from quorate.artifacts where kind = 'workflow' and published_version_id is not null) as workflows,
      (select count(*)::int from quorate.artifacts where kind = 'workflow') as all_workflows,
      (select jsonb_object_agg(status, runs) from (select status, count(*)::int as runs from quorate.runs group by status) r) as runs,
      (select jsonb_object_agg(status, n) from (select status, count(*)::int as n from quorate.approvals group by status) a) as approvals`);
    return rows[0];
  } finally {
    await client.end();
  }
}

const WHOLE = {
  users: 4,
  workspaces: 1,
  demos: 1,
  members: 4,
  connections: 2,
  unapproved: 0,
  policies: 3,
  workflows: 3,
  all_workflows: 3,
  runs: { completed: 4, failed: 2, cancelled: 1, waiting: 2 },
  approvals: { consumed: 2, rejected: 1, withdrawn: 1, pending: 2 },
};

describe('the very first start', { timeout: 180_000 }, () => {
  it('makes the demo workspace whole, tells its passwords once and keeps them for the owner alone', async () => {
    server = await startRunningServer({ dataDirectory: await freshDataDirectory() });
    expect(await whatStands(server)).toEqual(WHOLE);
    const accounts = await server.demoAccounts();
    expect(accounts.map((account) => account.roles)).toEqual([
      ['user', 'builder'],
      ['user', 'approver'],
      ['user', 'auditor'],
      ['user', 'admin'],
    ]);
    for (const { password } of accounts) expect(server.output()).toContain(password);
    expect(await server.stop()).toBe(0);
    server = await startRunningServer({ dataDirectory: server.dataDirectory });
    for (const { password } of accounts) expect(server.output()).not.toContain(password);
  });

  // A whole first start for a setting with which other tests start, too: in full.
  it.runIf(process.env.QUORATE_TEST_FULL)('makes none with QUORATE_DEMO=off', async () => {
    server = await startRunningServer({ dataDirectory: await freshDataDirectory(), settings: { QUORATE_DEMO: 'off' } });
    expect(await whatStands(server)).toMatchObject({ users: 0, workspaces: 0 });
    await expect(server.demoAccounts()).rejects.toThrow('ENOENT');
  });
});
