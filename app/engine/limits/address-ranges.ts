import ipaddr from 'ipaddr.js';

/** A network: its address, and how many bits of it count. */
type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A list of one entry a line, or with commas, without doubles. */
function entriesOf(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/[\s,]+/))].filter((entry) => entry !== '');
}

/** A network in CIDR (RFC 4632, RFC 4291), or an address, which is a network of its own; null for what is neither. */
function readRange(entry: string): AddressRange | null {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : null;
  if (!ipaddr.IPv6.isValid(entry) && !ipaddr.IPv4.isValidFourPartDecimal(entry)) return null;
  const address = ipaddr.parse(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The networks of a list, as CIDR; `wrong`: the first entry that is none. */
export function readRanges(text: string): { ok: true; ranges: string[] } | { ok: false; wrong: string } {
  const ranges: string[] = [];
  for (const entry of entriesOf(text)) {
    const range = readRange(entry);
    if (range === null) return { ok: false, wrong: entry };
    ranges.push(`${range[0].toString()}/${range[1]}`);
  }
  return { ok: true, ranges };
}

/** Whether an address is of one of these networks, or there are none. False on doubt: for what is no address, and for networks that cannot be read. */
export function isWithinRanges(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  // An IPv6 address of a link may name the interface behind it.
  const text = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(text)) return false;
  // An IPv4 address in the clothes of IPv6 is that IPv4 address.
  const known = ipaddr.process(text);
  return ranges.some((entry) => {
    const range = readRange(entry);
    return range !== null && range[0].kind() === known.kind() && known.match(range[0], range[1]);
  });
}
