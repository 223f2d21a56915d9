import { z } from 'zod';
import { CATEGORIES, TRANSPORTS } from '#app/features/marketplace/catalogue-terms.ts';

/** An MCP server of others as public sources describe it. `licence` null: not established. */
export const catalogueServerSchema = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  title: z.string().min(1).max(120),
  publisher: z.string(),
  category: z.enum(CATEGORIES),
  description: z.string().min(1).max(2_000),
  transports: z.array(z.enum(TRANSPORTS)).min(1),
  packages: z.array(z.object({ registryType: z.string(), identifier: z.string() })),
  remotes: z.array(z.object({ type: z.enum(TRANSPORTS), url: z.string() })),
  auth: z.string(),
  secretEnv: z.array(z.string()).nullable(),
  licence: z.string().nullable(),
  repository: z.string().nullable(),
});
export const catalogueSchema = z.object({ generated: z.iso.date(), servers: z.array(catalogueServerSchema) });
export type CatalogueServer = z.infer<typeof catalogueServerSchema>;

/** The address at which Quorate can speak to a server: over Streamable HTTP or the stream of 2024, and whole. Null: there is none. */
export function remoteOf(server: Pick<CatalogueServer, 'remotes'>): string | null {
  const whole = server.remotes.filter(({ type, url }) => type !== 'stdio' && URL.canParse(url) && !/[{}<>]/.test(url));
  return (whole.find(({ type }) => type === 'streamable-http') ?? whole[0])?.url ?? null;
}

/**
 * How a server identifies its callers. `oauth`: by a sign-in, which a stored key cannot do. `local`: the program that runs it has the
 * credential, not the connection.
 */
export function credentialOf(server: CatalogueServer): 'none' | 'optional' | 'needed' | 'oauth' | 'local' {
  if (server.auth === 'none') return 'none';
  if (/optional|anonymous/.test(server.auth)) return 'optional';
  if (remoteOf(server) === null) return 'local';
  return /^oauth2(?: \(.*\)| client credentials)?$/.test(server.auth) ? 'oauth' : 'needed';
}
