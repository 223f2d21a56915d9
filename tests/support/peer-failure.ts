import { PeerError } from '#app/engine/connections/peer.ts';

/** The failure of a call to a peer; an answer is one, too. */
export function failureOf(work: Promise<unknown>) {
  return work.then(
    (answer) => ({ key: 'answered', answer }),
    (error: unknown) => (error instanceof PeerError ? error.failure : { key: 'another error', error }),
  );
}
