import { AppError, type ErrorCode } from '#app/domain/errors.ts';

/** Why a vote was not counted, by the SQLSTATE of `quorate.vote_approval`. */
const REFUSALS = {
  QV001: { refusal: 'unknown', code: 'not_found' },
  QV002: { refusal: 'role', code: 'forbidden' },
  QV003: { refusal: 'key', code: 'forbidden' },
  QV004: { refusal: 'requester', code: 'forbidden' },
  QV005: { refusal: 'author', code: 'forbidden' },
  QV006: { refusal: 'initiator', code: 'forbidden' },
  QV007: { refusal: 'digest', code: 'conflict' },
  QV008: { refusal: 'closed', code: 'conflict' },
  QV009: { refusal: 'late', code: 'conflict' },
  QV010: { refusal: 'voted', code: 'conflict' },
  QV011: { refusal: 'reauthenticate', code: 'invalid_input' },
  QV012: { refusal: 'incomplete', code: 'invalid_input' },
  QV013: { refusal: 'notInitiator', code: 'forbidden' },
  QV015: { refusal: 'requesterGone', code: 'conflict' },
  QV021: { refusal: 'factor', code: 'forbidden' },
  QV022: { refusal: 'group', code: 'forbidden' },
  QV020: { refusal: 'meaning', code: 'conflict' },
} as const satisfies Record<string, { refusal: string; code: ErrorCode }>;
export type VoteRefusal = (typeof REFUSALS)[keyof typeof REFUSALS]['refusal'];

/** The database did not count the vote; nothing changed. */
export class VoteRefused extends AppError {
  readonly refusal: VoteRefusal;
  constructor(refusal: VoteRefusal, code: ErrorCode, options: { cause?: unknown } = {}) {
    super(code, { ...options, message: `vote refused: ${refusal}` });
    this.name = 'VoteRefused';
    this.refusal = refusal;
  }
}

/** The refusal for an SQLSTATE; null for any other. */
export function refusalOf(sqlState: string | null): VoteRefusal | null {
  return isRefusalState(sqlState) ? REFUSALS[sqlState].refusal : null;
}

/** Turns the database's refusal into a VoteRefused; other errors pass. */
export function asVoteRefused(error: unknown): unknown {
  const state = sqlStateOf(error);
  if (!isRefusalState(state)) return error;
  const { refusal, code } = REFUSALS[state];
  return new VoteRefused(refusal, code, { cause: error });
}

function isRefusalState(state: string | null): state is keyof typeof REFUSALS {
  return state !== null && Object.hasOwn(REFUSALS, state);
}

function sqlStateOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('QV')) return error.code;
  return 'cause' in error ? sqlStateOf(error.cause) : null;
}
