import { data, type RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { catalogueSchema } from '#app/features/marketplace/catalogue-schema.ts';
import { filterMarket, readMarketFilter, similarTo } from '#app/features/marketplace/facets.ts';
import { type MarketServer, ofCatalogue, ofRegistry, reachOf } from '#app/features/marketplace/market-server.ts';
import { readRegistryServers } from '#app/features/marketplace/registries/read-registries.server.ts';

/** The file as it is, read when someone first opens the catalogue. */
export async function loadCatalogueFile(): Promise<unknown> {
  return (await import('#app/features/marketplace/mcp-servers.json', { with: { type: 'json' } })).default;
}

let reading: Promise<z.infer<typeof catalogueSchema>> | undefined;
const readCatalogue = () => {
  reading ??= loadCatalogueFile().then((file) => catalogueSchema.parse(file));
  return reading;
};

/** Cards of one page. */
/** Whole rows of two and of three cards. */
const PAGE_SIZE = 24;
const MOST_SIMILAR = 4;

type Read = { context: Readonly<RouterContextProvider> };

/** All servers, those of the workspace's registries too, and which of their addresses it is connected to. */
async function readMarket({ context }: Read) {
  const { member, read } = context.get(memberContext);
  const { servers, generated } = await readCatalogue();
  const own = await read(async (db) => ({
    registries: await readRegistryServers(db, member.workspace.id),
    connected: await readConnected(db, member.workspace.id),
  }));
  const imported = own.registries.flatMap(({ id, name, servers: named }) => named.map((server) => ofRegistry(server, { id, name })));
  return {
    servers: [...servers.map(ofCatalogue), ...imported],
    generated,
    registries: own.registries.map(({ id, name }) => ({ id, name })),
    connected: own.connected,
  };
}

/** The connection to each address; the last one made where there are several. */
async function readConnected(db: Db, workspaceId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('quorate.connections')
    .select(['id', 'endpoint'])
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'mcp')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ id, endpoint }) => [endpoint, id]));
}

const isConnected = ({ remote }: MarketServer, connected: ReadonlyMap<string, string>) => remote !== null && connected.has(remote);

const cardOf = (server: MarketServer, connected: ReadonlyMap<string, string>) => ({
  key: server.key,
  path: server.path,
  title: server.title,
  publisher: server.publisher,
  description: server.description,
  category: server.category,
  licence: server.licence,
  reach: reachOf(server),
  registry: server.registry?.name ?? null,
  connected: isConnected(server, connected),
});
export type MarketCard = ReturnType<typeof cardOf>;

/** The marketplace by text and facets, a page of it. */
export async function loadMarketplace({ url, context }: Read & { url: URL }) {
  const market = await readMarket({ context });
  const filter = readMarketFilter(url.searchParams);
  const { found, facets } = filterMarket(market.servers, filter);
  const pageCount = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(pageCount, Math.max(1, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  return {
    filter,
    facets,
    generated: market.generated,
    registries: market.registries,
    total: market.servers.length,
    found: found.length,
    page,
    pageCount,
    servers: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((server) => cardOf(server, market.connected)),
    mayImport: can(context.get(memberContext).member.roles, 'connect'),
  };
}
export type LoadedMarketplace = Awaited<ReturnType<typeof loadMarketplace>>;

/** The address of an entry: a name of the catalogue, or a registry and one of its names. */
export type EntryParams = { server: string; registry?: string };

const pathOf = ({ server, registry }: EntryParams) => (registry === undefined ? server : `registries/${registry}/${server}`);

/** One entry. Throws a 404 response for an address that leads to none. */
export async function readEntry({ params, context }: Read & { params: EntryParams }) {
  const market = await readMarket({ context });
  const server = market.servers.find(({ path }) => path === pathOf(params));
  if (server === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return { server, market };
}

export async function loadEntry(given: Read & { params: EntryParams }) {
  const { server, market } = await readEntry(given);
  const { member, read } = given.context.get(memberContext);
  const { localServers } = given.context.get(servicesContext).engine;
  const connection = server.remote === null ? null : (market.connected.get(server.remote) ?? null);
  return {
    ...server,
    reach: reachOf(server),
    connection,
    tools: connection === null ? null : await read((db) => readTools(db, member.workspace.id, connection)),
    similar: similarTo(server, market.servers, MOST_SIMILAR).map((other) => cardOf(other, market.connected)),
    mayInstall: can(member.roles, 'connect'),
    startsPrograms: Object.keys(localServers ?? {}).length > 0,
  };
}
export type LoadedEntry = Awaited<ReturnType<typeof loadEntry>>;

/** The tools of a connection, as they were read last. */
async function readTools(db: Db, workspaceId: string, connectionId: string) {
  return db
    .selectFrom('quorate.capabilities')
    .select(['name', 'title', 'description'])
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .limit(200)
    .execute();
}
