import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { OutgoingCallError } from '#app/domain/connections/outgoing-call-error.ts';
import { isListed, type PrivateNetwork } from '#app/platform/http/private-network.server.ts';

/** Ports that the fetch standard blocks and that lie above the well-known range, and those of common stores and control planes. */
const REFUSED_PORTS = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 5984, 6000, 6379, 6443, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 9300, 10080, 10250, 11211, 27017,
]);
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** True for addresses of the public internet only; private, local, shared, mapped, translated and reserved ones are not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

/**
 * Refuses an address by its form alone, before anything is resolved: scheme and credentials in it.
 * @throws OutgoingCallError `refused`
 */
export function assertAllowedUrl(url: URL): void {
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    throw new OutgoingCallError('refused');
}

/** Plain http, and ports of stores and control planes: nothing that a public address is asked over. */
function isInsideOnly(protocol: string, portText: string): boolean {
  const port = portText === '' ? (protocol === 'https:' ? 443 : 80) : Number(portText);
  return protocol !== 'https:' || (port < 1024 && port !== 443) || REFUSED_PORTS.has(port);
}

type Lookup = (
  hostname: string,
  options: { all: true; family?: number | string; hints?: number },
  done: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void;
const systemLookup: Lookup = (hostname, options, done) =>
  lookup(
    hostname,
    { all: true, hints: options.hints ?? 0, family: options.family === 4 || options.family === 6 ? options.family : 0 },
    done,
  );

/**
 * A connector for undici that checks every resolved address at the moment the socket connects, so that a name which
 * answered differently a moment ago gains nothing (DNS rebinding). Public addresses are taken over https, those that all of `privateNetworks` list over any
 * scheme and port. `isAllowedOrigin` leaves the check out.
 */
export async function guardedConnector(options: {
  connectTimeoutMs: number;
  isAllowedOrigin: (origin: string) => boolean;
  /** Lists that must all contain the address: the instance's, and the workspace's. */
  privateNetworks: readonly PrivateNetwork[];
  resolve?: Lookup;
}): Promise<buildConnector.connector> {
  const { buildConnector } = await import('undici');
  const resolve = options.resolve ?? systemLookup;
  const { privateNetworks } = options;
  const lookupFor =
    (insideOnly: boolean): LookupFunction =>
    (hostname, lookupOptions, done) => {
      resolve(hostname, { all: true, family: lookupOptions.family, hints: lookupOptions.hints }, (error, addresses) => {
        const first = addresses?.[0];
        if (error !== null || first === undefined) return done(new OutgoingCallError('refused', { cause: error }), '', 0);
        if (addresses.some(({ address }) => !isReachable(hostname, address, insideOnly)))
          return done(new OutgoingCallError('refused'), '', 0);
        if (lookupOptions.all === true) return done(null, addresses);
        return done(null, first.address, first.family);
      });
    };
  const isReachable = (host: string, address: string, insideOnly: boolean) =>
    (!insideOnly && isPublicAddress(address)) || privateNetworks.every((list) => isListed(list, host, address));
  const free = buildConnector({ timeout: options.connectTimeoutMs });
  const guarded = buildConnector({ timeout: options.connectTimeoutMs, lookup: lookupFor(false) });
  const inside = buildConnector({ timeout: options.connectTimeoutMs, lookup: lookupFor(true) });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const port = target.port === '' || target.port === (target.protocol === 'https:' ? '443' : '80') ? '' : `:${target.port}`;
    if (options.isAllowedOrigin(`${target.protocol}//${target.hostname}${port}`)) return free(target, callback);
    const insideOnly = isInsideOnly(target.protocol, target.port);
    if (ipaddr.isValid(host) && !isReachable(host, host, insideOnly)) return callback(new OutgoingCallError('refused'), null);
    return (insideOnly ? inside : guarded)(target, callback);
  };
}
