import type { RegistryServer } from '#app/contracts/registry.ts';
import { type CatalogueServer, credentialOf, remoteOf } from '#app/features/marketplace/catalogue-schema.ts';
import type { Category, Credential, Reach, Transport } from '#app/features/marketplace/catalogue-terms.ts';

/** A server that the marketplace shows, wherever it was read. */
export type MarketServer = {
  /** Unique in the marketplace. */
  key: string;
  /** The address of its page below the marketplace. */
  path: string;
  name: string;
  title: string;
  publisher: string;
  description: string;
  category: Category | null;
  transports: readonly Transport[];
  packages: readonly { registryType: string; identifier: string }[];
  /** The address at which Quorate can speak to it; null: there is none. */
  remote: string | null;
  credential: Credential;
  /** Names of what its caller must give. */
  secrets: readonly string[];
  licence: string | null;
  version: string | null;
  repository: string | null;
  /** The registry that names it; null: it came with the product. */
  registry: { id: string; name: string } | null;
};

export function ofCatalogue(server: CatalogueServer): MarketServer {
  return {
    key: server.name,
    path: server.name,
    name: server.name,
    title: server.title,
    publisher: server.publisher,
    description: server.description,
    category: server.category,
    transports: server.transports,
    packages: server.packages,
    remote: remoteOf(server),
    credential: credentialOf(server),
    secrets: server.secretEnv ?? [],
    licence: server.licence,
    version: null,
    repository: server.repository,
    registry: null,
  };
}

/** A registry's name of a server has one slash, which an address of a page cannot hold. */
const pathName = (name: string) => name.replace('/', '~');

export function ofRegistry(server: RegistryServer, registry: { id: string; name: string }): MarketServer {
  const [publisher = '', title = ''] = server.name.split('/');
  const remote = remoteOf(server);
  const secrets = remote === null ? server.variables : server.headers;
  const given: Credential = remote === null ? 'local' : 'needed';
  const unsaid: Credential = remote === null ? 'none' : 'unsaid';
  return {
    key: `${registry.id} ${server.name}`,
    path: `registries/${registry.id}/${pathName(server.name)}`,
    name: server.name,
    title: server.title ?? title,
    publisher,
    description: server.description,
    category: null,
    transports: [...new Set([...server.remotes.map(({ type }) => type), ...(server.stdio ? (['stdio'] as const) : [])])],
    packages: server.packages,
    remote,
    credential: secrets.length > 0 ? given : unsaid,
    secrets,
    licence: null,
    version: server.version === '' ? null : server.version,
    repository: server.repository,
    registry,
  };
}

/** How far one is from calling it: at once, with a key, with a sign-in that only a person can do, or as a program of one's own. */
export function reachOf({ remote, credential }: Pick<MarketServer, 'remote' | 'credential'>): Reach {
  if (remote === null) return 'local';
  if (credential === 'needed') return 'key';
  return credential === 'oauth' ? 'signIn' : 'now';
}
