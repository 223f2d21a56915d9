import type { Kysely } from 'kysely';
import type { Tables } from '#app/contracts/tables.ts';

/** The query layer inside one principal's transaction: rows it cannot see do not exist for it. */
export type Db = Kysely<Tables>;
