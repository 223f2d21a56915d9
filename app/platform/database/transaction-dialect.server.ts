import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { PoolClient } from 'pg';
import type { Tables } from '#app/contracts/tables.ts';

/** The engine's `Db`, which platform may not name. */
export type Db = Kysely<Tables>;

/** A query layer on one client that is inside a transaction. `end` makes every later use of it throw. */
export function openTransactionDb(client: PoolClient): { db: Db; end(): void } {
  const connection = new TransactionConnection(client);
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new TransactionDriver(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return { db: new Kysely({ dialect }), end: () => connection.end() };
}

class TransactionConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #ended = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PoolClient) {
    this.#client = client;
  }

  end(): void {
    this.#ended = true;
  }

  /** One query at a time: queries that arrive together (Promise.all) wait in line, because a transaction is one connection. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const mine = this.#last.then(() => this.#run<R>(query));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // otherwise a query that nobody awaited would run on a connection that has a new owner by now
    if (this.#ended) throw new Error('the transaction is over: await every query inside its work');
    const name = preparedName(query.sql);
    const values = [...query.parameters];
    const result = await this.#client.query(name === null ? { text: query.sql, values } : { name, text: query.sql, values });
    const changes = result.command === 'INSERT' || result.command === 'UPDATE' || result.command === 'DELETE' || result.command === 'MERGE';
    return { rows: result.rows, ...(changes ? { numAffectedRows: BigInt(result.rowCount ?? 0) } : {}) };
  }

  // biome-ignore lint/correctness/useYield: a cursor is not offered; the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered inside a transaction');
  }
}

const MAX_PREPARED = 400;
const prepared = new Map<string, string>();
let count = 0;

/**
 * A statement is prepared from its second use: with row level security, planning one costs several times its execution.
 * Beyond the bound (texts that differ by the length of a list) statements are planned each time.
 */
function preparedName(text: string): string | null {
  const known = prepared.get(text);
  if (known === '') {
    count += 1;
    const name = `t${count}`;
    prepared.set(text, name);
    return name;
  }
  if (known === undefined && prepared.size < MAX_PREPARED) prepared.set(text, '');
  return known ?? null;
}

class TransactionDriver implements Driver {
  readonly #connection: TransactionConnection;

  constructor(connection: TransactionConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('this is a transaction already');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}
