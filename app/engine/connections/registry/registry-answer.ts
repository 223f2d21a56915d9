import { z } from 'zod';
import type { RegistryServer } from '#app/contracts/registry.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';

/** Servers that one registry may bring: what a page can filter and a row can hold. */
export const MOST_SERVERS = 500;

const TRANSPORTS = ['streamable-http', 'sse', 'stdio'] as const;

/** As a registry names them: a reversed domain, and a name. */
const NAME = /^[a-zA-Z0-9.-]{1,120}\/[a-zA-Z0-9._-]{1,80}$/;

/** A text of a stranger: without what nobody sees, and no longer than a page has room for. */
const shownText = (most: number) =>
  z
    .string()
    .max(20_000)
    .transform((text) => visibleText(text).replaceAll(/\s+/g, ' ').trim().slice(0, most))
    .refine((text) => text !== '');

const webAddress = z
  .string()
  .max(2_000)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).username === '');

/** A server as it is kept. */
export const registryServerSchema: z.ZodType<RegistryServer> = z.object({
  name: z.string().regex(NAME),
  title: z.string().nullable(),
  description: z.string(),
  version: z.string(),
  repository: z.string().nullable(),
  packages: z.array(z.object({ registryType: z.string(), identifier: z.string() })),
  remotes: z.array(z.object({ type: z.enum(TRANSPORTS), url: z.string() })),
  variables: z.array(z.string()),
  headers: z.array(z.string()),
  stdio: z.boolean(),
});

const setting = z.object({
  name: z.string().regex(/^[\w.-]{1,120}$/),
  isSecret: z.boolean().optional(),
  isRequired: z.boolean().optional(),
});
const settings = z
  .array(z.unknown())
  .optional()
  .transform((found) => readable(found, setting));
const serverSchema = z.object({
  name: z.string().regex(NAME),
  title: shownText(120).nullish(),
  description: shownText(2_000),
  version: shownText(60).nullish(),
  versionDetail: z.object({ version: shownText(60) }).nullish(),
  status: z.string().nullish(),
  repository: z.object({ url: z.string() }).nullish(),
  packages: z.array(z.unknown()).nullish(),
  remotes: z.array(z.unknown()).nullish(),
});
const packageSchema = z.object({
  registryType: shownText(30).optional(),
  registryName: shownText(30).optional(),
  identifier: shownText(300).optional(),
  name: shownText(300).optional(),
  transport: z.object({ type: z.string() }).optional(),
  environmentVariables: settings,
});
const remoteSchema = z.object({
  type: z.enum(['streamable-http', 'sse']).optional(),
  transportType: z.string().optional(),
  url: webAddress,
  headers: settings,
});
const officialSchema = z.object({ status: z.string().optional(), isLatest: z.boolean().optional() }).catch({});
const answerSchema = z.object({
  servers: z.array(z.unknown()).max(5_000),
  metadata: z.object({ nextCursor: z.string().min(1).max(1_000).nullish() }).nullish(),
});

/** `refused`: entries that are no servers. `next`: where the list goes on, or null. */
export type RegistryPage = { servers: RegistryServer[]; refused: number; next: string | null };

/** One answer to `/v0/servers`, of this edition of the format or an older one. Null: it is none. */
export function readRegistryPage(body: unknown): RegistryPage | null {
  const answer = answerSchema.safeParse(camelCased(body));
  if (!answer.success) return null;
  const servers: RegistryServer[] = [];
  let refused = 0;
  for (const entry of answer.data.servers) {
    const read = readEntry(entry);
    if (read === null) refused += 1;
    else if (read !== 'gone') servers.push(read);
  }
  return { servers, refused, next: answer.data.metadata?.nextCursor ?? null };
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** `gone`: an earlier version, or one that its registry has taken back. */
function readEntry(entry: unknown): RegistryServer | 'gone' | null {
  const wrapped = z.object({ server: z.unknown(), _meta: z.record(z.string(), z.unknown()).optional() }).safeParse(entry);
  const isWrapped = wrapped.success && wrapped.data.server !== undefined;
  const server = serverSchema.safeParse(isWrapped ? wrapped.data.server : entry);
  if (!server.success) return null;
  const official = officialSchema.parse(isWrapped ? (wrapped.data._meta?.[OFFICIAL] ?? {}) : {});
  if (official.isLatest === false || [official.status, server.data.status].some((status) => status === 'deleted')) return 'gone';
  return cutDown(server.data);
}

function cutDown(server: z.output<typeof serverSchema>): RegistryServer {
  const packages = readable(server.packages ?? [], packageSchema);
  const remotes = readable(server.remotes ?? [], remoteSchema);
  const repository = webAddress.safeParse(server.repository?.url);
  return {
    name: server.name,
    title: server.title ?? null,
    description: server.description,
    version: server.version ?? server.versionDetail?.version ?? '',
    repository: repository.success ? repository.data : null,
    packages: packages.flatMap(({ registryType, registryName, identifier, name }) => {
      const [kind, what] = [registryType ?? registryName, identifier ?? name];
      return kind === undefined || what === undefined ? [] : [{ registryType: kind, identifier: what }];
    }),
    remotes: remotes.map(({ type, transportType, url }) => ({ type: (type ?? transportType) === 'sse' ? 'sse' : 'streamable-http', url })),
    variables: asked(packages.flatMap((one) => one.environmentVariables)),
    headers: asked(remotes.flatMap((one) => one.headers)),
    stdio: packages.some(({ transport }) => transport === undefined || transport.type === 'stdio'),
  };
}

/** Settings that must be given, or must not be seen. */
const asked = (found: readonly z.output<typeof setting>[]) =>
  [...new Set(found.filter(({ isSecret, isRequired }) => isSecret || isRequired).map(({ name }) => name))].slice(0, 20);

/** Those that fit: one bad package does not make a server unusable. */
function readable<Schema extends z.ZodType>(found: readonly unknown[] | undefined, schema: Schema): z.output<Schema>[] {
  return (found ?? []).slice(0, 20).flatMap((one) => {
    const read = schema.safeParse(one);
    return read.success ? [read.data] : [];
  });
}

/** Deeper than any entry of the format. */
const MOST_LEVELS = 12;

/** Editions before September 2025 write `registry_type`. */
function camelCased(value: unknown, level = 0): unknown {
  if (level > MOST_LEVELS || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => camelCased(one, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key.replaceAll(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camelCased(one, level + 1),
    ]),
  );
}
