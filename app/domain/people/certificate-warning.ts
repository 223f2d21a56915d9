const DAY_MS = 24 * 3_600_000;
/** Long enough to agree on another one with a provider. */
export const WARN_DAYS = 30;

/** Whether a certificate has run out, or will within thirty days; null: neither. `notAfter` as ISO 8601. */
export function certificateWarning(notAfter: string, now: Date): 'expired' | 'expiring' | null {
  const left = Date.parse(notAfter) - now.getTime();
  if (left <= 0) return 'expired';
  return left < WARN_DAYS * DAY_MS ? 'expiring' : null;
}
