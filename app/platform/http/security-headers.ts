/** `scripts`: what the inline scripts of this answer go by, a nonce or their hashes. */
export function contentSecurityPolicy(options: { scripts: readonly string[]; secure: boolean; development: boolean }): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...options.scripts].join(' '),
    // Radix and the charts set style attributes; a style cannot read or send anything under the rest of this policy.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    options.development ? "connect-src 'self' ws:" : "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(options.secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/**
 * Headers of every response, errors too; files in /assets leave out what rules documents. `no-referrer` is not used: browsers then send `Origin: null` with
 * forms, which the check against forged requests refuses (reference: React Router 8, actions.ts).
 */
export function securityHeaders(options: { nonce: string; secure: boolean; development: boolean }): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy({ ...options, scripts: [`'nonce-${options.nonce}'`] }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    ...(options.secure ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}
