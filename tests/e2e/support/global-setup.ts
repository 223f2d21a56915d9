import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { LOOPBACK_LIST, LOOPBACK_SETTING } from '#tests/support/loopback.ts';
import { startRunningServer } from '#tests/support/running-server.ts';
import { superuser } from '#tests/survival/support/instance.ts';

/**
 * One server on data of its own for all journeys, which may reach this machine's own network: some connect what a test plays. It is found
 * by the settings. Returns what ends it.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await startRunningServer({ settings: { ALLOW_PRIVATE_NETWORK: LOOPBACK_SETTING } });
  await openLoopback(server.dataDirectory);
  process.env.QUORATE_E2E_ORIGIN = server.origin;
  process.env.QUORATE_E2E_DATA = server.dataDirectory;
  // Journeys run in processes of their own: what the server logs reaches them by a file.
  const log = join(server.dataDirectory, 'e2e.log');
  process.env.QUORATE_E2E_LOG = log;
  writeFileSync(log, server.output());
  for (const stream of [server.process.stdout, server.process.stderr]) stream?.on('data', (text) => appendFileSync(log, String(text)));
  return () => server.remove();
}

/** The demo workspace lists this machine, as its admin would under Tenant configuration. */
async function openLoopback(dataDirectory: string): Promise<void> {
  const client = new pg.Client(superuser(dataDirectory));
  await client.connect();
  try {
    await client.query(
      `with opened as (update quorate.workspaces set private_network = $1 where is_demo returning id)
       insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
       select gen_random_uuid(), id, 'system', 'workspace.configured', 'workspace', id from opened`,
      [JSON.stringify(LOOPBACK_LIST)],
    );
  } finally {
    await client.end();
  }
}
