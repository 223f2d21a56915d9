/**
 * A path of this origin to go to, or the fallback. Refuses other origins in every spelling a browser understands
 * (`//host`, `/\host`, control characters), because the candidate comes from an address or a form.
 */
export function localPath(candidate: unknown, fallback: string): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/')) return fallback;
  // A browser drops tabs and line breaks from a URL, so `/\t/host` would become `//host`.
  if (/[\p{Cc}\\]/u.test(candidate) || candidate.startsWith('//')) return fallback;
  const base = 'https://quorate.invalid';
  if (!URL.canParse(candidate, base)) return fallback;
  const url = new URL(candidate, base);
  return url.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : fallback;
}
