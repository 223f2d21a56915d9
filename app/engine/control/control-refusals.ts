import type { ErrorCode } from '#app/domain/errors.ts';
import type { RefusalText } from '#app/domain/refusal.ts';

/** Why somebody may not decide on a control change, by the SQLSTATE of the database. The words are in `validation.change`. */
const WORDS = {
  QV001: 'unknown',
  QV002: 'role',
  QV003: 'role',
  QV004: 'requester',
  QV005: 'author',
  QV007: 'digest',
  QV008: 'closed',
  QV009: 'late',
  QV011: 'reauthenticate',
  QV012: 'reason',
  QV013: 'notRequester',
  QV014: 'ownRoles',
  QV015: 'requesterGone',
  QV016: 'changed',
  QV017: 'lasting',
  QV018: 'again',
  QV019: 'askerRole',
} as const;
export type ControlRefusal = (typeof WORDS)[keyof typeof WORDS];

const CODES: Record<ControlRefusal, ErrorCode> = {
  unknown: 'not_found',
  role: 'forbidden',
  requester: 'forbidden',
  author: 'forbidden',
  digest: 'conflict',
  closed: 'conflict',
  late: 'conflict',
  reauthenticate: 'invalid_input',
  reason: 'invalid_input',
  notRequester: 'forbidden',
  ownRoles: 'forbidden',
  requesterGone: 'conflict',
  changed: 'conflict',
  lasting: 'conflict',
  again: 'conflict',
  askerRole: 'forbidden',
};

/** The refusals of the commands that decide on a control change. */
export const CONTROL_VOTE_REFUSALS: Readonly<Record<string, RefusalText>> = Object.fromEntries(
  Object.entries(WORDS).map(([state, word]) => [state, { code: CODES[word], reasons: [{ key: `change.${word}` }] }]),
);

/** The word for an SQLSTATE; null where there is none, and `role` for one that nobody knows. */
export function controlRefusalOf(state: string | null): ControlRefusal | null {
  if (state === null) return null;
  return Object.entries(WORDS).find(([known]) => known === state)?.[1] ?? 'role';
}
