/** A server of a registry, cut down to what the marketplace shows. */
export type RegistryServer = {
  name: string;
  title: string | null;
  description: string;
  version: string;
  repository: string | null;
  packages: { registryType: string; identifier: string }[];
  remotes: { type: 'streamable-http' | 'sse' | 'stdio'; url: string }[];
  /** Names of what must be given: variables of the program, and headers of the address. */
  variables: string[];
  headers: string[];
  stdio: boolean;
};

/** `refused`: entries that are no servers. `cut`: the registry has more than are taken. */
export type RegistryReading = { servers: RegistryServer[]; refused: number; cut: boolean };
