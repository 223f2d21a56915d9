import { expect, it } from 'vitest';
import { CATALOGUE } from '#app/features/marketplace/facet-names.ts';
import { filterMarket, readMarketFilter, similarTo } from '#app/features/marketplace/facets.ts';
import { type MarketServer, ofRegistry, reachOf } from '#app/features/marketplace/market-server.ts';

const sample: MarketServer = {
  key: 'sample',
  path: 'sample',
  name: 'sample',
  title: 'Sample',
  publisher: 'Acme',
  description: 'Nothing special.',
  category: 'search',
  transports: ['streamable-http'],
  packages: [],
  remote: 'https://sample.example/mcp',
  credential: 'none',
  secrets: [],
  licence: null,
  version: null,
  repository: null,
  registry: null,
};
const make = (key: string, more: Partial<MarketServer> = {}): MarketServer => ({ ...sample, key, path: key, title: key, ...more });
const market = [
  make('local', { remote: null, credential: 'local', transports: ['stdio'], licence: 'MIT' }),
  make('key', { credential: 'needed', category: 'maps' }),
  make('signIn', { credential: 'oauth', category: 'maps', licence: 'MIT' }),
  make('zulu'),
  make('alpha', { credential: 'optional', publisher: 'Maps and more' }),
];
const search = (query: string) => filterMarket(market, readMarketFilter(new URLSearchParams(query)));

it('shows what can be connected now first, then by name', () => {
  expect(search('').found.map(({ key }) => key)).toEqual(['alpha', 'zulu', 'key', 'signIn', 'local']);
});

it('counts in each facet what a choice there would leave, with all other choices made', () => {
  const { found, facets } = search('category=maps');
  expect(found.map(({ key }) => key)).toEqual(['key', 'signIn']);
  expect(facets.category).toEqual([
    { value: 'search', count: 3 },
    { value: 'maps', count: 2 },
  ]);
  expect(facets.licence).toEqual([{ value: 'MIT', count: 1 }]);
  expect(facets.source).toEqual([{ value: CATALOGUE, count: 2 }]);
  for (const { value, count } of facets.reach) expect(search(`category=maps&reach=${value}`).found).toHaveLength(count);
});

it('keeps a choice that leaves nothing, so that it can be taken back, and forgets one that is none', () => {
  const { found, facets } = search('q=zulu&licence=MIT');
  expect(found).toEqual([]);
  expect(facets.licence).toEqual([{ value: 'MIT', count: 0 }]);
  expect(search('category=nothing&reach=never&source=none').found).toHaveLength(market.length);
  expect(search('q=MAPS+more').found.map(({ key }) => key)).toEqual(['alpha']);
});

it('names similar servers: the same purpose or publisher, never itself or a stranger', () => {
  expect(similarTo(make('key', { category: 'maps', publisher: 'Other' }), market, 4).map(({ key }) => key)).toEqual(['signIn']);
  expect(similarTo(market[3] as MarketServer, market, 1)).toHaveLength(1);
});

it('makes of a server of a registry what it can be connected by', () => {
  const named = {
    name: 'io.github.acme/weather',
    title: null,
    description: 'Tells the weather.',
    version: '',
    repository: null,
    packages: [],
    remotes: [{ type: 'streamable-http' as const, url: 'https://weather.example/mcp' }],
    variables: ['LOCAL_KEY'],
    headers: [],
    stdio: true,
  };
  const from = { id: '01900000-0000-7000-8000-000000000000', name: 'Ours' };
  const remote = ofRegistry(named, from);
  expect(remote).toMatchObject({ title: 'weather', publisher: 'io.github.acme', version: null, credential: 'unsaid', secrets: [] });
  expect(remote.path).toBe(`registries/${from.id}/io.github.acme~weather`);
  expect(reachOf(remote)).toBe('now');
  expect(ofRegistry({ ...named, headers: ['X-Key'] }, from)).toMatchObject({ credential: 'needed', secrets: ['X-Key'] });
  const local = ofRegistry({ ...named, remotes: [] }, from);
  expect([reachOf(local), local.credential, local.secrets]).toEqual(['local', 'local', ['LOCAL_KEY']]);
});
