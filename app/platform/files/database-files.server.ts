import { sql } from 'kysely';
import type { FileStore, NewId } from '#app/contracts/ports.ts';
import type { Database } from '#app/platform/database/database.server.ts';
import { LIST_LIMIT } from '#app/platform/files/supabase-files.server.ts';

/** Files in the database: for an instance without Supabase Storage. */
export function createDatabaseFiles(database: Pick<Database, 'app'>, newId: NewId): FileStore {
  return {
    async put({ name, ownerId, mediaType, content }) {
      await database.app((db) =>
        sql`select quorate.keep_file(${newId()}::uuid, ${ownerId}::uuid, ${name}, ${mediaType}, ${Buffer.from(content)})`.execute(db),
      );
    },
    async get(name) {
      const { rows } = await database.app((db) =>
        sql<{ media_type: string; content: Buffer }>`select media_type, content from quorate.read_file(${name})`.execute(db),
      );
      const [row] = rows;
      return row === undefined ? null : { mediaType: row.media_type, content: row.content };
    },
    async remove(names) {
      await database.app((db) => sql`select quorate.remove_files(${names}::text[])`.execute(db));
    },
    async list(folder, { limit = LIST_LIMIT, offset = 0 } = {}) {
      const { rows } = await database.app((db) =>
        sql<{ name: string }>`select name from quorate.list_files(${folder}, ${limit}, ${offset})`.execute(db),
      );
      return rows.map((row) => row.name);
    },
  };
}
