export const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Keeps a choice in this browser before anything is asked of the server, so that a page left or loaded again in the same moment has it. The
 * server writes the same cookie where no script runs. `seconds`: for how long; null for this visit alone.
 */
export function keepPreference(name: string, value: string, seconds: number | null): void {
  const age = seconds === null ? '' : `; Max-Age=${seconds}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not to be had in every browser that we serve
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/${age}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
}
