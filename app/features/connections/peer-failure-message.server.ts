import { message } from '#app/components/form/messages.ts';
import type { PeerFailure } from '#app/engine/connections/peer.ts';

/** The message of a failed inspection, beside the field it is about. */
const MESSAGES: Readonly<Record<string, { field: 'address' | 'token'; key: string }>> = {
  peerAddressRefused: { field: 'address', key: 'connection.addressRefused' },
  peerUnreachable: { field: 'address', key: 'connection.unreachable' },
  peerTimeout: { field: 'address', key: 'connection.timeout' },
  peerTooLarge: { field: 'address', key: 'connection.tooLarge' },
  peerTooManyEvents: { field: 'address', key: 'connection.tooManyEvents' },
  peerListTooLong: { field: 'address', key: 'connection.listTooLong' },
  peerRedirected: { field: 'address', key: 'connection.redirected' },
  peerUnauthorized: { field: 'token', key: 'connection.unauthorized' },
  peerBusy: { field: 'address', key: 'connection.busy' },
  peerHttpStatus: { field: 'address', key: 'connection.httpStatus' },
  peerProtocolMismatch: { field: 'address', key: 'connection.protocolMismatch' },
  peerAnswerGarbage: { field: 'address', key: 'connection.answerGarbage' },
  peerLocalRefused: { field: 'address', key: 'connection.localRefused' },
  peerProcessEnded: { field: 'address', key: 'connection.processEnded' },
  peerCardElsewhere: { field: 'address', key: 'connection.cardElsewhere' },
};

/** Field and validation message for a failure; without words of its own it counts as a wrong endpoint. */
export function peerFailureMessage(failure: PeerFailure): { field: 'address' | 'token'; text: string } {
  const { field, key } = MESSAGES[failure.key] ?? { field: 'address', key: 'connection.garbage' };
  return { field, text: message(key, failure.values) };
}
