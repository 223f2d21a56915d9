import type { Language } from '#app/domain/web/languages.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The chosen zone; without a choice, the one that the browser reports (`tz`). */
export const TIME_ZONE_COOKIE = 'timezone';

/** A cookie of the request by name, decoded, or null. */
export function readCookie(request: Request, name: string): string | null {
  return cookieIn(request.headers.get('Cookie') ?? '', name);
}

/** The same out of the header itself. */
export function cookieIn(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const [key, ...rest] = part.trim().split('=');
    if (key !== name) continue;
    try {
      return decodeURIComponent(rest.join('='));
    } catch {
      return null;
    }
  }
  return null;
}

/**
 * A preference that scripts may read and that says nothing about the person. Its name is public: whoever renames it loses every visitor's
 * choice.
 */
export function preferenceCookie(name: string, value: string, keep: number | 'year' | 'visit' = 'year'): string {
  const age = keep === 'visit' ? '' : `; Max-Age=${keep === 'year' ? YEAR_SECONDS : keep}`;
  return `${name}=${encodeURIComponent(value)}; Path=/${age}; SameSite=Lax`;
}

export function languageCookie(language: Language, keep: 'year' | 'visit' = 'year'): string {
  return preferenceCookie('lng', language, keep);
}

/** The zone that was chosen (cookie `timezone`), or the one the browser told us (`tz`); UTC until it has, and for whatever Intl does not know. */
export function readTimeZone(request: Request): string {
  const zone = readCookie(request, TIME_ZONE_COOKIE) || readCookie(request, 'tz');
  if (!zone) return 'UTC';
  try {
    // Throws for what it does not know. The browser's own spelling is kept: Asia/Calcutta is Asia/Kolkata to some.
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return 'UTC';
  }
}
