import type { Kysely } from 'kysely';
import type { Tables } from '#app/domain/tables.ts';

/** The query layer inside one principal's transaction: what it cannot see does not exist for it. */
export type Db = Kysely<Tables>;
