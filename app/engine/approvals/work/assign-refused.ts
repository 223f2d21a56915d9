import { AppError, type ErrorCode } from '#app/domain/errors.ts';
import { isSqlState } from '#app/engine/sql-state.ts';

/**
 * Why an approval was not assigned, by the SQLSTATE of `quorate.assign_approval`. Those that begin with `member` are about the member who
 * would have got it, the others about who asks.
 */
const REFUSALS = {
  QV001: { refusal: 'unknown', code: 'not_found' },
  QV002: { refusal: 'role', code: 'forbidden' },
  QV003: { refusal: 'key', code: 'forbidden' },
  QV008: { refusal: 'closed', code: 'conflict' },
  QV009: { refusal: 'late', code: 'conflict' },
  QW001: { refusal: 'meanwhile', code: 'conflict' },
  QW002: { refusal: 'memberRole', code: 'invalid_input' },
  QW004: { refusal: 'memberRequester', code: 'invalid_input' },
  QW005: { refusal: 'memberAuthor', code: 'invalid_input' },
  QW006: { refusal: 'memberRequester', code: 'invalid_input' },
  QW010: { refusal: 'memberVoted', code: 'invalid_input' },
} as const satisfies Record<string, { refusal: string; code: ErrorCode }>;
export type AssignRefusal = (typeof REFUSALS)[keyof typeof REFUSALS]['refusal'];

/** The database did not assign the approval; nothing changed. */
export class AssignRefused extends AppError {
  readonly refusal: AssignRefusal;
  constructor(refusal: AssignRefusal, code: ErrorCode, cause: unknown) {
    super(code, { cause, message: `not assigned: ${refusal}` });
    this.name = 'AssignRefused';
    this.refusal = refusal;
  }
}

/** Turns the database's refusal into an AssignRefused; other errors pass. */
export function asAssignRefused(error: unknown): unknown {
  const [, known] = Object.entries(REFUSALS).find(([state]) => isSqlState(error, state)) ?? [];
  return known === undefined ? error : new AssignRefused(known.refusal, known.code, error);
}
