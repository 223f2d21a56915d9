import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';

/** PostgreSQL, appendix A: no such function, no such schema. Then the schema is older than the list of it. */
const NOT_THERE = new Set(['42883', '3F000']);

/** The first migration of a new database. Migrations of earlier versions, which it replaced, have older numbers. */
export const BASELINE = '20261122175900';

/** `version`: 14 digits. */
export type Migration = { file: string; version: string; name: string; text: string };

/** Oldest first. `upgrades`: from earlier versions to the baseline. */
export function migrationsIn(folder: 'migrations' | 'upgrades'): Migration[] {
  const directory = join(projectRoot(), 'supabase', folder);
  return readdirSync(directory)
    .sort()
    .flatMap((file) => {
      const [, version, name] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? [];
      return version && name ? [{ file, version, name, text: readFileSync(join(directory, file), 'utf8') }] : [];
    });
}

/** The versions of the schema that this code brings, oldest first: 14 digits. */
export const knownMigrations = (): string[] => migrationsIn('migrations').map(({ version }) => version);

/** Versions of Quorate's schema in the database that this code does not bring; null where the schema is older than the list of them. */
export async function unknownMigrations(client: Pick<pg.Client, 'query'>): Promise<string[] | null> {
  try {
    const { rows } = await client.query<{ version: string }>('select version from quorate.list_migrations() as m (version)');
    const known = new Set(knownMigrations());
    return rows.map((row) => row.version).filter((version) => version > BASELINE && !known.has(version));
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_THERE.has(String(error.code))) return null;
    throw error;
  }
}

/** The finding and the way back, for the start and for the doctor. */
export const newerSchema = (unknown: readonly string[]) => ({
  found: `the database has the schema ${unknown.at(-1)}, this version of Quorate knows it up to ${knownMigrations().at(-1)}`,
  remedy: 'start the newer version again, or restore the backup made before the upgrade',
});

/**
 * Throws with one line when the schema is newer than this code, before anything is changed: it would leave out rules that newer code
 * relies on. `prepared`: an older schema is refused too, by processes that prepare none.
 */
export async function refuseOtherSchema(login: DatabaseLogin, { prepared = false } = {}): Promise<void> {
  const client = new pg.Client({ ...login, application_name: 'quorate start' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const unknown = await unknownMigrations(client);
    if (unknown === null && prepared) throw new Error('The database is older than this version of Quorate: start its web server first.');
    if (unknown === null || unknown.length === 0) return;
    const { found, remedy } = newerSchema(unknown);
    throw new Error(`${found[0]?.toUpperCase()}${found.slice(1)}. ${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`);
  } finally {
    await client.end();
  }
}
