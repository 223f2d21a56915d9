const EU_MEMBERS: Readonly<Record<string, string>> = {
  austria: 'AT',
  belgium: 'BE',
  bulgaria: 'BG',
  croatia: 'HR',
  cyprus: 'CY',
  czechia: 'CZ',
  'czech republic': 'CZ',
  denmark: 'DK',
  estonia: 'EE',
  finland: 'FI',
  france: 'FR',
  germany: 'DE',
  greece: 'GR',
  hungary: 'HU',
  ireland: 'IE',
  italy: 'IT',
  latvia: 'LV',
  lithuania: 'LT',
  luxembourg: 'LU',
  malta: 'MT',
  netherlands: 'NL',
  poland: 'PL',
  portugal: 'PT',
  romania: 'RO',
  slovakia: 'SK',
  slovenia: 'SI',
  spain: 'ES',
  sweden: 'SE',
};
/** Members of the European Economic Area have the same financial and data protection law. */
const EEA = new Set([...Object.values(EU_MEMBERS), 'IS', 'LI', 'NO', 'EL']);
const NAMES: Readonly<Record<string, string>> = {
  ...EU_MEMBERS,
  eu: 'EU',
  eea: 'EU',
  europe: 'EU',
  'european union': 'EU',
  uk: 'UK',
  gb: 'UK',
  'united kingdom': 'UK',
  'great britain': 'UK',
  england: 'UK',
  scotland: 'UK',
  wales: 'UK',
  us: 'US',
  usa: 'US',
  'united states': 'US',
  'united states of america': 'US',
  america: 'US',
  california: 'US-CA',
  'us-ca': 'US-CA',
  brazil: 'BR',
  brasil: 'BR',
  international: 'INTL',
  global: 'INTL',
  worldwide: 'INTL',
};

/**
 * Reads jurisdictions as people write them (a list, or one text with commas). `known` are the library's own codes: a
 * member state brings the Union's law, a state of the US the federal law.
 */
export function readJurisdictions(input: unknown): { known: string[]; unknown: string[] } {
  const parts = (Array.isArray(input) ? input : typeof input === 'string' ? input.split(/[,;\n]/) : [])
    .map((part) => String(part).trim())
    .filter((part) => part !== '')
    .slice(0, 50);
  const known = new Set<string>();
  const unknown: string[] = [];
  for (const part of parts) {
    const code = NAMES[part.toLowerCase()] ?? part.toUpperCase();
    if (EEA.has(code) || code === 'EU') known.add('EU');
    else if (code === 'US' || /^US-[A-Z]{2}$/.test(code)) {
      known.add('US');
      if (code === 'US-CA') known.add('US-CA');
    } else if (code === 'UK' || code === 'BR' || code === 'INTL') known.add(code);
    else unknown.push(part.slice(0, 60));
  }
  return { known: [...known], unknown };
}
