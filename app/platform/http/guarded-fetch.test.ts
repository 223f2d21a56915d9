import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { OutgoingCallError } from '#app/domain/connections/outgoing-call-error.ts';
import { isPublicAddress } from '#app/platform/http/guarded-address.server.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '#app/platform/http/guarded-fetch.server.ts';
import { NO_PRIVATE_NETWORK, readPrivateNetwork } from '#app/platform/http/private-network.server.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';

const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, seen };
}

/** As for a workspace that may reach all that the instance allows, unless the call names another list. */
function guarded(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const fetch = createGuardedFetch({ ...options });
  ends.push(() => fetch.close());
  return (input, init) => fetch(input, { privateNetwork: 'instance', ...init });
}

/** The failure of a call, or the status it was answered with. */
const outcome = (call: Promise<Response>): Promise<string | number> =>
  call.then(
    (response) => response.status,
    (error: unknown) => (error instanceof OutgoingCallError ? error.failure : `another error: ${String(error)}`),
  );

describe('isPublicAddress', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    'localhost',
    '',
  ])('refuses %j', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('takes %s', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('addresses', () => {
  it('reaches what both the instance and the workspace list, and forgets no list for an open socket', async () => {
    const server = await listen((_request, response) => response.end('ok'));
    const fetch = guarded({ privateNetwork: LOOPBACK });
    for (let round = 0; round < 2; round += 1) {
      expect(await outcome(fetch(server.origin, { privateNetwork: ['127.0.0.0/16'] }))).toBe(200);
      expect(await outcome(fetch(server.origin, { privateNetwork: [] }))).toBe('refused');
      expect(await outcome(fetch(server.origin, { privateNetwork: ['10.0.0.0/8', 'localhost'] }))).toBe('refused');
      expect(await outcome(fetch(`http://localhost:${server.port}`, { privateNetwork: ['localhost'] }))).toBe(200);
    }
  });

  it('keeps sockets of a bounded number of lists', async () => {
    const server = await listen((_request, response) => response.end('ok'));
    const fetch = guarded({ privateNetwork: LOOPBACK });
    for (let list = 0; list < 120; list += 1)
      expect(await outcome(fetch(server.origin, { privateNetwork: ['127.0.0.1', `host-${list}`] }))).toBe(200);
    expect(await outcome(fetch(server.origin, { privateNetwork: ['127.0.0.1', 'host-0'] }))).toBe(200);
  });

  it('reaches no private address, however it is written', async () => {
    const canary = await listen((_, response) => response.end('secret'));
    const fetch = guarded();
    const { port } = canary;
    const urls = [
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      `https://localhost.:${port}/`,
      `https://127.0.0.1.:${port}/`,
      `https://2130706433:${port}/`,
      `https://0x7f000001:${port}/`,
      `https://0x7f.1:${port}/`,
      `https://0177.0.0.1:${port}/`,
      `https://127.1:${port}/`,
      `https://0:${port}/`,
      `https://0.0.0.0:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://[::ffff:7f00:1]:${port}/`,
      `https://[0:0:0:0:0:ffff:127.0.0.1]:${port}/`,
      `https://user:pass@127.0.0.1:${port}/`,
      `https://user@1.1.1.1/`,
      'https://169.254.169.254/latest/meta-data/',
      'https://10.0.0.1/',
      'https://192.168.0.1/',
      'https://[fd00::1]/',
      'https://[fe80::1]/',
      'https://100.64.0.1/',
      'file:///etc/passwd',
      'ftp://1.1.1.1/',
      'gopher://1.1.1.1/',
      'data:text/plain,x',
      'https://1.1.1.1:25/',
      'https://1.1.1.1:6379/',
      'https://1.1.1.1:22/',
      'http://1.1.1.1/',
      'nonsense',
    ];
    for (const url of urls) expect([url, await outcome(fetch(url))]).toEqual([url, 'refused']);
    expect(canary.seen).toEqual([]);
  });

  it('reaches a private address where the operator allows it, and the built-in peers always', async () => {
    const server = await listen((_, response) => response.end('hello'));
    expect(await outcome(guarded({ privateNetwork: LOOPBACK })(server.origin))).toBe(200);
    expect(await outcome(guarded({ allowedOrigins: () => [server.origin] })(server.origin))).toBe(200);
    expect(await outcome(guarded({ allowedOrigins: () => ['http://127.0.0.1:1'] })(server.origin))).toBe('refused');
  });
});

describe('the private network', () => {
  const within = (text: string, answer = '10.1.2.3') => {
    const privateNetwork = readPrivateNetwork(text);
    if (privateNetwork === null) throw new Error(`${text} is no list`);
    return guarded({
      privateNetwork,
      connectTimeoutMs: 1,
      resolve: (_name, _options, done) => done(null, [{ address: answer, family: answer.includes(':') ? 6 : 4 }]),
    });
  };

  it.each([
    ['another network', '10.0.0.0/8', 'http://192.168.0.1:9/'],
    ['another address', '127.0.0.2', 'http://127.0.0.1:9/'],
    ['another host', 'models.internal', 'http://other.internal:9/'],
    ['a name that resolves elsewhere', '192.168.0.0/16', 'https://models.internal/'],
    ['metadata inside half of all addresses', '128.0.0.0/1', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata of a cloud in a network', '100.64.0.0/10', 'http://100.100.100.200/'],
    ['metadata over IPv6', 'fd00::/8', 'http://[fd00:ec2::254]/'],
    ['link-local addresses', 'fc00::/7', 'http://[fe80::1]/'],
    ['mapped metadata', '::ffff:0:0/96', 'http://[::ffff:169.254.169.254]/'],
    ['plain http to the public internet', '10.0.0.0/8', 'http://1.1.1.1/'],
    ['a store on the public internet', '10.0.0.0/8', 'https://1.1.1.1:6379/'],
  ])('does not open %s', async (_, list, url) => {
    expect(await outcome(within(list)(url))).toBe('refused');
  });

  it('does not open a listed host whose name comes to a metadata service', async () => {
    for (const answer of ['169.254.169.254', 'fd00:ec2::254', '::ffff:169.254.169.254', '0.0.0.0'])
      expect(await outcome(within('models.internal', answer)('http://models.internal/'))).toBe('refused');
  });

  it('opens what is listed: a host by name, an address, a network', async () => {
    const server = await listen((_, response) => response.end('hello'));
    const at = (text: string, url: string) => outcome(guarded({ privateNetwork: readPrivateNetwork(text) ?? NO_PRIVATE_NETWORK })(url));
    expect(await at('localhost', `http://localhost:${server.port}/`)).toBe(200);
    expect(await at('127.0.0.1', server.origin)).toBe(200);
    expect(await at('10.0.0.0/8, 127.0.0.0/8', server.origin)).toBe(200);
    expect(await at('127.0.0.0/8', `http://[::ffff:127.0.0.1]:${server.port}/`)).toBe(200);
  });

  it.each(['on', '10.0.0.0/40', '169.254.169.254', 'fe80::1', '0.0.0.0/0', '::/0', 'http://x', 'a b/c', '1.2.3'])(
    'is no list: %s',
    (text) => {
      expect(text === 'on' ? null : readPrivateNetwork(text)).toBeNull();
    },
  );
});

describe('names', () => {
  it('checks every address that a name resolves to, at each connect', async () => {
    const canary = await listen((_, response) => response.end('secret'));
    const answers = [
      [
        { address: '1.1.1.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '::ffff:127.0.0.1', family: 6 }],
    ];
    const fetch = guarded({ resolve: (_name, _options, done) => done(null, answers.shift() ?? []) });
    for (let times = 0; times < 4; times += 1) expect(await outcome(fetch(`https://rebind.example:${canary.port}/`))).toBe('refused');
    expect(canary.seen).toEqual([]);
  });

  it('says of a name that does not resolve and of one that is private the same', async () => {
    const unknown = guarded({ resolve: (_name, _options, done) => done(new Error('ENOTFOUND internal.corp'), []) });
    const inside = guarded({ resolve: (_name, _options, done) => done(null, [{ address: '10.1.2.3', family: 4 }]) });
    const message = async (fetch: ReturnType<typeof guarded>) => fetch('https://internal.corp/').catch((error: Error) => error.message);
    expect(await message(unknown)).toBe(await message(inside));
    expect(await message(inside)).not.toContain('10.1.2.3');
  });
});

describe('redirects', () => {
  it('follows none', async () => {
    const canary = await listen((_, response) => response.end('secret'));
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await listen((_, response) => response.writeHead(status, { location: `${canary.origin}/secret` }).end());
      expect(await outcome(guarded({ privateNetwork: LOOPBACK })(server.origin, { headers: { authorization: 'Bearer x' } }))).toBe(
        'redirected',
      );
    }
    expect(canary.seen).toEqual([]);
  });
});

describe('time and size', () => {
  const free = (options: Partial<GuardedFetchOptions>) => guarded({ privateNetwork: LOOPBACK, ...options });

  it('ends a call that has no answer, and one that drips', async () => {
    const silent = await listen(() => undefined);
    expect(await outcome(free({ totalTimeoutMs: 50 })(silent.origin))).toBe('timeout');
    expect(await outcome(free({})(silent.origin, { signal: AbortSignal.timeout(50) }))).toBe('timeout');
    expect(await outcome(free({})(silent.origin, { signal: AbortSignal.abort() }))).toBe('aborted');
    const drip = await listen((_, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    expect(await outcome(free({ totalTimeoutMs: 100 })(drip.origin))).toBe('timeout');
  });

  it('reads no more than the cap, said or not, packed or not', async () => {
    const maxBytes = 10_000;
    const said = await listen((_, response) => response.writeHead(200, { 'content-length': 20_000 }).end('x'.repeat(20_000)));
    const unsaid = await listen((_, response) => {
      response.write('x'.repeat(9_000));
      response.end('x'.repeat(9_000));
    });
    const bomb = await listen((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000))),
    );
    for (const server of [said, unsaid, bomb]) expect(await outcome(free({ maxBytes })(server.origin))).toBe('too_large');
    const fits = await listen((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(gzipSync('hello')),
    );
    expect(await (await free({ maxBytes })(fits.origin)).text()).toBe('hello');
  });

  it('caps an event stream while it is read', async () => {
    const endless = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (!response.destroyed && response.write('data: x\n\n'.repeat(100)));
      };
      response.on('drain', more);
      more();
    });
    const response = await free({ maxBytes: 10_000 })(endless.origin);
    await expect(response.text()).rejects.toMatchObject({ failure: 'too_large' });
  });

  it('reads no more events of a stream than the cap, however small they are', async () => {
    for (const event of ['data: x\n\n', 'data: x\r\n\r\n', 'data: x\r\r', ':\n\n', '\n']) {
      const stream = (times: number) =>
        listen((_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event.repeat(times)));
      const many = await free({})((await stream(10_001)).origin);
      await expect(many.text()).rejects.toMatchObject({ failure: 'too_many_events' });
      const fitting = await free({})((await stream(10_000)).origin);
      expect((await fitting.text()).length).toBe(event.length * 10_000);
    }
  });

  it('says plainly that nothing listens', async () => {
    const gone = await listen(() => undefined);
    for (const end of ends.splice(0).reverse()) await end();
    expect(await outcome(free({})(gone.origin))).toBe('unreachable');
  });

  it('keeps a thousand calls to one peer under way at once', async () => {
    let open = 0;
    let most = 0;
    const waiting: ServerResponse[] = [];
    const server = await listen((_, response) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(response);
      if (waiting.length === 1_000) for (const each of waiting) each.end('ok');
    });
    const fetch = free({});
    const statuses = await Promise.all(Array.from({ length: 1_000 }, () => outcome(fetch(server.origin))));
    expect(most).toBe(1_000);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
