import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';

type Farewell = { workspace_id: string; name: string; fate: 'goes' | 'blocks' | 'stays' };

/** The consequences of deleting the account, for each of one's workspaces. */
export async function loadFarewell(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { rows } = await read((db) => sql<Farewell>`select * from quorate.list_own_farewells()`.execute(db));
  const named = (fate: Farewell['fate']) =>
    rows.filter((row) => row.fate === fate).map((row) => ({ id: row.workspace_id, name: row.name }));
  return { email: member.email, goes: named('goes'), blocks: named('blocks'), stays: named('stays') };
}
export type FarewellView = Awaited<ReturnType<typeof loadFarewell>>;
