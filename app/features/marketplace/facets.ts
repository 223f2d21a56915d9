import { z } from 'zod';
import { CATEGORIES, REACHES, TRANSPORTS } from '#app/features/marketplace/catalogue-terms.ts';
import { CATALOGUE, FACETS, type Facet, type FacetCounts } from '#app/features/marketplace/facet-names.ts';
import { type MarketServer, reachOf } from '#app/features/marketplace/market-server.ts';

const oneOf = <const Values extends readonly string[]>(values: Values) => z.enum(values).or(z.literal('')).catch('');

export const marketFilterSchema = z.object({
  q: z.string().trim().max(100).catch(''),
  reach: oneOf(REACHES),
  category: oneOf(CATEGORIES),
  transport: oneOf(TRANSPORTS),
  licence: z.string().max(80).catch(''),
  source: z.uuid().or(z.literal(CATALOGUE)).or(z.literal('')).catch(''),
});
export type MarketFilter = z.infer<typeof marketFilterSchema>;

export function readMarketFilter(search: URLSearchParams): MarketFilter {
  return marketFilterSchema.parse(Object.fromEntries(['q', ...FACETS].map((name) => [name, search.get(name) ?? ''])));
}

/** The values of a server that a facet counts it under. */
const VALUES: Record<Facet, (server: MarketServer) => readonly string[]> = {
  reach: (server) => [reachOf(server)],
  category: ({ category }) => (category === null ? [] : [category]),
  transport: ({ transports }) => transports,
  licence: ({ licence }) => (licence === null ? [] : [licence]),
  source: ({ registry }) => [registry?.id ?? CATALOGUE],
};

/** The servers that fit all of a filter, or all of it but one facet. */
function fitting(servers: readonly MarketServer[], filter: MarketFilter, without?: Facet): MarketServer[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = FACETS.filter((facet) => facet !== without && filter[facet] !== '');
  return servers.filter((server) => {
    if (!chosen.every((facet) => VALUES[facet](server).includes(filter[facet]))) return false;
    const text = `${server.title} ${server.name} ${server.publisher} ${server.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Servers that fit, with the number that each further choice would leave: the most frequent first. A choice that was made is there, even if it leaves nothing. */
export function filterMarket(servers: readonly MarketServer[], filter: MarketFilter): { found: MarketServer[]; facets: FacetCounts } {
  const countsOf = (facet: Facet) => {
    const counts = new Map<string, number>(filter[facet] === '' ? [] : [[filter[facet], 0]]);
    for (const server of fitting(servers, filter, facet))
      for (const value of VALUES[facet](server)) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value, 'en'));
  };
  const found = fitting(servers, filter).sort((a, b) => nearness(a) - nearness(b) || a.title.localeCompare(b.title, 'en'));
  return { found, facets: Object.fromEntries(FACETS.map((facet) => [facet, countsOf(facet)])) as FacetCounts };
}

const nearness = (server: MarketServer) => REACHES.indexOf(reachOf(server));

/** Servers for the same purpose, or of the same publisher; those that can be connected now first among equals. */
export function similarTo(server: MarketServer, servers: readonly MarketServer[], most: number): MarketServer[] {
  const words = wordsOf(server);
  const score = (other: MarketServer) =>
    (other.category !== null && other.category === server.category ? 3 : 0) +
    (other.publisher === server.publisher ? 2 : 0) +
    Math.min(2, [...wordsOf(other)].filter((word) => words.has(word)).length);
  return servers
    .filter(({ key }) => key !== server.key)
    .map((other) => ({ other, score: score(other) }))
    .filter((one) => one.score >= 3)
    .sort((a, b) => b.score - a.score || nearness(a.other) - nearness(b.other) || a.other.title.localeCompare(b.other.title, 'en'))
    .slice(0, most)
    .map(({ other }) => other);
}

/** Words that say something: short ones are in every description. */
const wordsOf = ({ title, description }: MarketServer) => new Set(`${title} ${description}`.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
