/** Registries of strangers, read over the guarded fetch: this edition of the format, older ones, and answers that mean harm. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { RegistryError, readRegistry } from '#app/engine/connections/registry/read-registry.ts';
import { MOST_SERVERS } from '#app/engine/connections/registry/registry-answer.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { LOOPBACK, LOOPBACK_LIST } from '#tests/support/loopback.ts';

const fetch = createGuardedFetch({ privateNetwork: LOOPBACK });
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => fetch.close());

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Resolves to the address of a registry that answers so. */
async function registry(answer: Answer): Promise<string> {
  const server = createServer(answer);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const json =
  (body: unknown): Answer =>
  (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
const read = (address: string, totalMs?: number) => readRegistry(fetch, { address, privateNetwork: LOOPBACK_LIST }, totalMs);
async function failure(address: string, totalMs?: number): Promise<string> {
  try {
    await read(address, totalMs);
  } catch (error) {
    if (error instanceof RegistryError) return error.failure;
    throw error;
  }
  throw new Error('it was read');
}

const weather = {
  name: 'io.github.acme/weather',
  title: 'Weather',
  description: 'Tells the weather.',
  version: '1.4.0',
  repository: { url: 'https://github.com/acme/weather', source: 'github' },
  remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp', headers: [{ name: 'X-Key', isSecret: true }] }],
  packages: [
    {
      registryType: 'npm',
      identifier: '@acme/weather',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'KEY', isRequired: true }],
    },
  ],
};
const official = (meta: object) => ({ _meta: { 'io.modelcontextprotocol.registry/official': meta } });

describe('a registry', () => {
  it('is read in the edition of today, without earlier versions and what was taken back', async () => {
    const asked: string[] = [];
    const address = await registry((request, response) => {
      asked.push(request.url ?? '');
      json({
        servers: [
          { server: weather, ...official({ status: 'active', isLatest: true }) },
          { server: { ...weather, version: '1.3.0' }, ...official({ status: 'active', isLatest: false }) },
          { server: { ...weather, name: 'io.github.acme/gone' }, ...official({ status: 'deleted', isLatest: true }) },
        ],
        metadata: { count: 3 },
      })(request, response);
    });
    expect(await read(address)).toEqual({
      servers: [
        {
          name: 'io.github.acme/weather',
          title: 'Weather',
          description: 'Tells the weather.',
          version: '1.4.0',
          repository: 'https://github.com/acme/weather',
          packages: [{ registryType: 'npm', identifier: '@acme/weather' }],
          remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp' }],
          variables: ['KEY'],
          headers: ['X-Key'],
          stdio: true,
        },
      ],
      refused: 0,
      cut: false,
    });
    expect(asked).toEqual(['/v0/servers?limit=100&version=latest']);
  });

  it('is read in older editions, at the address of its list too', async () => {
    const older = {
      name: 'io.github.acme/weather',
      description: 'Tells the weather.',
      version_detail: { version: '0.9.0' },
      packages: [{ registry_name: 'npm', name: 'weather', environment_variables: [{ name: 'KEY', is_required: true }] }],
      remotes: [{ transport_type: 'sse', url: 'https://weather.example/sse' }],
    };
    const address = await registry(json({ servers: [older], metadata: { next_cursor: null } }));
    const { servers } = await read(`${address}/v0.1/servers/`);
    expect(servers).toMatchObject([
      {
        version: '0.9.0',
        variables: ['KEY'],
        stdio: true,
        remotes: [{ type: 'sse' }],
        packages: [{ registryType: 'npm', identifier: 'weather' }],
      },
    ]);
  });

  it('is read page by page, and one that leads back into itself ends', async () => {
    let pages = 0;
    const address = await registry((request, response) => {
      const cursor = new URL(request.url ?? '', 'http://registry').searchParams.get('cursor');
      pages += 1;
      const name = `io.github.acme/page-${cursor ?? 'first'}`;
      json({ servers: [{ server: { ...weather, name } }], metadata: { nextCursor: cursor === null ? 'a' : cursor === 'a' ? 'b' : 'a' } })(
        request,
        response,
      );
    });
    const { servers, cut } = await read(address);
    expect(servers.map(({ name }) => name)).toEqual(['first', 'a', 'b'].map((page) => `io.github.acme/page-${page}`));
    expect([pages, cut]).toEqual([3, true]);
  });

  it('brings no more servers than a page can show', async () => {
    const servers = Array.from({ length: MOST_SERVERS + 20 }, (_, place) => ({ server: { ...weather, name: `io.github.acme/n${place}` } }));
    const found = await read(await registry(json({ servers })));
    expect([found.servers.length, found.cut]).toEqual([MOST_SERVERS, true]);
  });

  it('leaves out entries that are none, and of the others what is no address or cannot be seen', async () => {
    const entries = [
      { server: { ...weather, name: 'no slash' } },
      { server: { ...weather, name: '../../etc/passwd' } },
      { server: { ...weather, description: '\u200B\u202E' } },
      { server: null },
      'text',
      null,
      [],
      { server: { ...weather, name: 'io.github.acme/huge', description: 'x'.repeat(30_000) } },
      {
        server: {
          ...weather,
          title: 'Pay\u202Eme\u200B',
          repository: { url: 'javascript:alert(1)' },
          remotes: [
            { type: 'streamable-http', url: 'javascript:alert(1)' },
            { type: 'streamable-http', url: 'https://user:secret@weather.example/mcp' },
            { type: 'streamable-http', url: 'http://169.254.169.254/latest' },
            { type: 'telepathy', url: 'https://weather.example/mcp' },
          ],
          packages: 'none',
          __proto__: { polluted: true },
        },
      },
    ];
    const { servers, refused } = await read(await registry(json({ servers: [...entries, { server: weather }] })));
    expect(refused).toBe(9);
    expect(servers).toMatchObject([{ name: 'io.github.acme/weather' }]);
    const [, , , , , , , , turned] = entries as { server: { packages: unknown } }[];
    const cleaned = await read(await registry(json({ servers: [{ server: { ...turned?.server, packages: [] } }] })));
    expect(cleaned.servers).toMatchObject([{ title: 'Payme', repository: null, remotes: [], packages: [] }]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('what is no registry', () => {
  const NONE: [what: string, answer: Answer, failure: string][] = [
    ['a page of HTML', (_request, response) => response.end('<html>'), 'noRegistry'],
    ['JSON of another shape', json({ items: [] }), 'noRegistry'],
    ['a list', json([]), 'noRegistry'],
    ['a list of junk alone', json({ servers: [1, 2] }), 'noServers'],
    ['more entries than anyone reads', json({ servers: Array.from({ length: 5_001 }, () => 1) }), 'noRegistry'],
    ['nested without end', (_request, response) => response.end('['.repeat(200_000)), 'noRegistry'],
    ['a redirect', (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 'redirected'],
    ['a sign-in', (_request, response) => response.writeHead(401).end(), 'unauthorized'],
    ['a failure', (_request, response) => response.writeHead(500).end(), 'httpStatus'],
    ['an answer of 6 MB', (_request, response) => response.end(`{"servers":["${'x'.repeat(6_000_000)}"]}`), 'tooLarge'],
    ['a hang-up', (request) => request.socket.destroy(), 'unreachable'],
  ];
  it.each(NONE)('is told: %s', async (_what, answer, expected) => {
    expect(await failure(await registry(answer))).toBe(expected);
  });

  it('is given up when its time is over, also while it goes on sending', async () => {
    expect(await failure(await registry(() => undefined), 300)).toBe('timeout');
    const trickling = await registry((_request, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await failure(trickling, 300)).toBe('timeout');
  });

  it('is not reached inside, where the workspace does not list it', async () => {
    const address = await registry(json({ servers: [{ server: weather }] }));
    await expect(readRegistry(fetch, { address, privateNetwork: [] })).rejects.toMatchObject({ failure: 'refused' });
    expect(await failure('http://registry.example')).toBe('refused');
  });
});
