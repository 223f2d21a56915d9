import ipaddr from 'ipaddr.js';
import type { InstanceNetwork, NetworkProblem } from '#app/contracts/network.ts';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
/** Hosts by name, and networks, that connections may reach although they are not of the public internet. `entries` as they were listed. */
export type PrivateNetwork = { entries: readonly string[]; hosts: ReadonlySet<string>; ranges: readonly Range[] };

export const NO_PRIVATE_NETWORK: PrivateNetwork = { entries: [], hosts: new Set(), ranges: [] };

/** Addresses at which clouds hand out the machine's credentials, outside any special range. */
const METADATA = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16']);
/** Ranges that no setting opens: link-local with its metadata services, and those that map to other addresses. */
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
  const entries = entriesOf(text);
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of entries) {
    const range = rangeOf(entry);
    if (range === null && !isHostName(entry)) return null;
    if (range !== null && isNever(range[0])) return null;
    if (range === null) hosts.add(entry);
    else ranges.push(range);
  }
  return { entries, hosts, ranges };
}

/** The instance's list as workspaces choose from it. */
export function createInstanceNetwork(instance: PrivateNetwork): InstanceNetwork {
  return {
    entries: instance.entries,
    check(text) {
      const entries = entriesOf(text);
      for (const entry of entries) {
        const problem = problemOf(entry, instance);
        if (problem !== null) return { ok: false, entry, problem };
      }
      return { ok: true, entries };
    },
  };
}

function problemOf(entry: string, { hosts, ranges }: PrivateNetwork): NetworkProblem['problem'] | null {
  const range = rangeOf(entry);
  if (range === null && !isHostName(entry)) return 'unreadable';
  if (range !== null && isNever(range[0])) return 'never';
  // A name may resolve into a listed network: that is checked with each call.
  if (range === null) return hosts.has(entry) || ranges.length > 0 ? null : 'outside';
  return ranges.some((outer) => contains(outer, range)) ? null : 'outside';
}

function contains([network, bits]: Range, [inner, innerBits]: Range): boolean {
  return network.kind() === inner.kind() && innerBits >= bits && inner.match(network, bits);
}

function entriesOf(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/[\s,]+/))].filter((entry) => entry !== '');
}

function isHostName(entry: string): boolean {
  return HOST.test(entry) && !/^[\d.]+$/.test(entry);
}

function rangeOf(entry: string): Range | null {
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
