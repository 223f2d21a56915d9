import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { type CatalogueServer, catalogueSchema, credentialOf, remoteOf } from '#app/features/marketplace/catalogue-schema.ts';
import { CATEGORIES, TRANSPORTS } from '#app/features/marketplace/catalogue-terms.ts';

/** The file as it is, read when someone first opens the catalogue. */
export async function loadCatalogueFile(): Promise<unknown> {
  return (await import('#app/features/marketplace/mcp-servers.json', { with: { type: 'json' } })).default;
}

let reading: Promise<z.infer<typeof catalogueSchema>> | undefined;
const readCatalogue = () => {
  reading ??= loadCatalogueFile().then((file) => catalogueSchema.parse(file));
  return reading;
};

const filterSchema = z.object({
  q: z.string().trim().max(100).catch(''),
  category: z.enum(CATEGORIES).or(z.literal('')).catch(''),
  transport: z.enum(TRANSPORTS).or(z.literal('')).catch(''),
  licence: z.string().max(80).catch(''),
});

/** The catalogue, by text, category, transport and licence. */
export async function loadMarketplace({ url }: { url: URL }) {
  const filter = filterSchema.parse(
    Object.fromEntries(['q', 'category', 'transport', 'licence'].map((name) => [name, url.searchParams.get(name) ?? ''])),
  );
  const { servers, generated } = await readCatalogue();
  const words = filter.q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = (server: CatalogueServer) =>
    (filter.category === '' || server.category === filter.category) &&
    (filter.transport === '' || server.transports.includes(filter.transport)) &&
    (filter.licence === '' || server.licence === filter.licence) &&
    words.every((word) => `${server.title} ${server.publisher} ${server.description}`.toLowerCase().includes(word));
  return {
    filter,
    generated,
    total: servers.length,
    licences: [...new Set(servers.flatMap(({ licence }) => (licence === null ? [] : [licence])))].sort(),
    servers: servers.filter(fits).map((server) => ({
      name: server.name,
      title: server.title,
      publisher: server.publisher,
      description: server.description,
      category: server.category,
      transports: server.transports,
      licence: server.licence,
      remote: remoteOf(server) !== null,
    })),
  };
}
export type LoadedMarketplace = Awaited<ReturnType<typeof loadMarketplace>>;

/** One server of the catalogue. Throws a 404 response for a name that is not in it. */
export async function readServer(name: string) {
  const { servers } = await readCatalogue();
  const server = servers.find((candidate) => candidate.name === name);
  if (server === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return { ...server, remote: remoteOf(server), credential: credentialOf(server) };
}

export async function loadServer({ params, context }: { params: { server: string }; context: Readonly<RouterContextProvider> }) {
  const server = await readServer(params.server);
  const { localServers } = context.get(servicesContext).engine;
  return {
    ...server,
    mayInstall: can(context.get(memberContext).member.roles, 'connect'),
    startsPrograms: Object.keys(localServers ?? {}).length > 0,
  };
}
export type LoadedServer = Awaited<ReturnType<typeof loadServer>>;
