import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import { OutgoingCallError } from '#app/domain/connections/outgoing-call-error.ts';
import { CallTime } from '#app/engine/connections/call-time.ts';

/** Metadata, registrations and tokens are a few kilobytes; a server that sends more or takes longer is not meant. */
const MOST_BYTES = 65_536;
const MOST_MS = 5_000;

/** True for an address that secrets may go to: https, or this machine over plain http, which the guarded fetch allows only where listed. */
export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * The fetch of everything that a sign-in asks for, wherever a hostile answer points: https, no redirects, 64 KB, 5 s, and private addresses
 * within the workspace's list alone.
 * @throws OutgoingCallError
 */
export function authFetch(guardedFetch: GuardedFetch, privateNetwork: WorkspaceNetwork): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (!isSecure(url)) throw new OutgoingCallError('refused');
    const time = new CallTime(MOST_MS, init?.signal ?? null);
    try {
      const response = await guardedFetch(url, { ...init, signal: time.signal, privateNetwork, maxBytes: MOST_BYTES });
      // An event stream would be handed over before its end.
      return new Response(response.body === null ? null : await response.arrayBuffer(), {
        status: response.status,
        headers: response.headers,
      });
    } finally {
      time.end();
    }
  };
}
