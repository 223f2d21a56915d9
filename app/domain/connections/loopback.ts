const LOOPBACK_HOST = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** True for a host name (without port) or address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^::ffff:(?=127\.)/, '');
  return LOOPBACK_HOST.test(bare);
}

/** Host without port of a Host header; empty when it is none. */
export function hostName(header: string): string {
  const match = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header);
  return match?.[1] ?? '';
}
