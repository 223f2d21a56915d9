import { MAX_STREAM_EVENTS, OutgoingCallError } from '#app/domain/connections/outgoing-call-error.ts';
import { retryAfterSeconds } from '#app/domain/connections/retry-after.ts';
import { shownText } from '#app/engine/connections/fingerprint.ts';
import { PeerError } from '#app/engine/connections/peer.ts';

/** Characters of a peer's own words that a failure quotes. They are data: shown as text, never acted on. */
const MAX_QUOTE = 300;

/** A peer's words, made safe to quote in a sentence. */
export function quoted(text: string): string {
  const shown = shownText(text, MAX_QUOTE).replaceAll(/\s+/g, ' ');
  return shown === '' ? '–' : shown;
}

/** Explains a failed outgoing call to the author of the workflow. `timeoutMs` is the time the call had. */
export function failureOfOutgoingCall(error: OutgoingCallError, timeoutMs: number): PeerError {
  switch (error.failure) {
    case 'refused':
      return new PeerError({ key: 'peerAddressRefused', values: {}, retryable: false }, { cause: error });
    case 'unreachable':
      return new PeerError({ key: 'peerUnreachable', values: {}, retryable: true, ...happenedTo(error) }, { cause: error });
    case 'timeout':
      return timedOut(timeoutMs, error);
    case 'too_large':
      return new PeerError({ key: 'peerTooLarge', values: {}, retryable: false, happened: 'unknown' }, { cause: error });
    case 'too_many_events':
      return new PeerError(
        { key: 'peerTooManyEvents', values: { limit: MAX_STREAM_EVENTS }, retryable: false, happened: 'unknown' },
        { cause: error },
      );
    case 'redirected':
      return new PeerError({ key: 'peerRedirected', values: {}, retryable: false }, { cause: error });
    case 'aborted':
      return cancelled(error);
  }
}

export function timedOut(timeoutMs: number, cause?: unknown): PeerError {
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  const happened = happenedTo(cause instanceof OutgoingCallError ? cause : null);
  return new PeerError({ key: 'peerTimeout', values: { seconds }, retryable: true, ...happened }, { cause });
}

function happenedTo(error: OutgoingCallError | null): { happened: 'no' | 'unknown' } {
  return { happened: error?.connected === false ? 'no' : 'unknown' };
}

export function cancelled(cause?: unknown): PeerError {
  return new PeerError({ key: 'peerCancelled', values: {}, retryable: false, happened: 'unknown' }, { cause });
}

/** An HTTP status that is no answer. The body is not quoted: it may speak of the network behind the peer. */
export function failureOfStatus(status: number, cause?: unknown): PeerError {
  if (status === 401 || status === 403) return new PeerError({ key: 'peerUnauthorized', values: { status }, retryable: false }, { cause });
  if (status === 429) return new PeerError({ key: 'peerBusy', values: { status }, retryable: true, happened: 'no' }, { cause });
  // a proxy answers 502 to 504, and a handler that fails late 500, for work that was done
  const passing = status >= 500 || status === 408;
  return new PeerError(
    { key: 'peerHttpStatus', values: { status }, retryable: passing, ...(passing ? { happened: 'unknown' } : {}) },
    { cause },
  );
}

/** As `failureOfStatus`, with the time after which the other side takes calls again, where it says so. */
export function failureOfResponse({ status, headers }: Pick<Response, 'status' | 'headers'>, cause?: unknown): PeerError {
  const failure = failureOfStatus(status, cause);
  const seconds = retryAfterSeconds(headers.get('retry-after'));
  return seconds === null ? failure : new PeerError({ ...failure.failure, retryAfterSeconds: seconds }, { cause });
}

/** Something came back, but not the protocol; over plain HTTP: not what the service's own reference promises. */
export function garbage(protocol: 'MCP' | 'A2A' | 'HTTP', cause?: unknown): PeerError {
  if (protocol === 'HTTP') return new PeerError({ key: 'peerAnswerGarbage', values: {}, retryable: true, happened: 'unknown' }, { cause });
  return new PeerError({ key: 'peerGarbage', values: { protocol }, retryable: true, happened: 'unknown' }, { cause });
}
