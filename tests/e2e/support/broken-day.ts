import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';

/** Does something while a function of the database is missing: what needs it fails as nobody meant it to. */
export async function withoutFunction(name: string, work: () => Promise<void>): Promise<void> {
  const data = process.env.QUORATE_E2E_DATA ?? '';
  const { database, ...address } = JSON.parse(readFileSync(join(data, 'database.json'), 'utf8'));
  const client = new Client({ ...superuserLogin(address, readFileSync(join(data, 'database-password'), 'utf8')), database });
  await client.connect();
  try {
    await client.query(`alter function quorate.${name}() rename to ${name}_missing`);
    await work();
  } finally {
    await client.query(`alter function quorate.${name}_missing() rename to ${name}`);
    await client.end();
  }
}

/** The lines that the server has logged so far. */
export function serverLog(): { level?: string; request?: string; message?: string }[] {
  const text = readFileSync(process.env.QUORATE_E2E_LOG ?? '', 'utf8');
  return text.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));
}
