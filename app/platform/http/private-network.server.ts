import ipaddr from 'ipaddr.js';

/** Hosts by name, and networks, that connections may reach although they are not of the public internet. */
export type PrivateNetwork = { hosts: ReadonlySet<string>; ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] };

export const NO_PRIVATE_NETWORK: PrivateNetwork = { hosts: new Set(), ranges: [] };

/** Addresses at which clouds hand out the credentials of the machine, and that stand in no range of their own. */
const METADATA = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16']);
/** Ranges that no setting opens: link-local with its metadata services, and those that stand for other addresses. */
const NEVER = new Set([
  'linkLocal',
  'unspecified',
  'multicast',
  'broadcast',
  '6to4',
  'teredo',
  'rfc6052',
  'rfc6145',
  'orchid2',
  'amt',
  'as112',
  'as112v6',
]);
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads a list such as `models.internal, 10.20.0.0/16, 192.168.1.7`. A bare address is a network of its own.
 * @returns null for what is no such list, and for one that names link-local addresses or a metadata service
 */
export function readPrivateNetwork(text: string): PrivateNetwork | null {
  const hosts = new Set<string>();
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of text.toLowerCase().split(/[\s,]+/)) {
    if (entry === '') continue;
    const range = rangeOf(entry);
    if (range !== null) {
      if (isNever(range[0])) return null;
      ranges.push(range);
    } else if (HOST.test(entry) && !/^[\d.]+$/.test(entry)) hosts.add(entry);
    else return null;
  }
  return { hosts, ranges };
}

function rangeOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : null;
  if (!ipaddr.IPv6.isValid(entry) && !ipaddr.IPv4.isValidFourPartDecimal(entry)) return null;
  const address = ipaddr.parse(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether `address`, to which `host` resolved, is named by the list. */
export function isListed({ hosts, ranges }: PrivateNetwork, host: string, address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address in the clothes of IPv6 is that IPv4 address.
  const parsed = ipaddr.process(address);
  if (isNever(parsed)) return false;
  if (hosts.has(host.toLowerCase().replace(/\.$/, ''))) return true;
  return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

function isNever(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return NEVER.has(address.range()) || METADATA.has(address.toString());
}
