import { AppError, type ErrorCode } from '#app/domain/errors.ts';

/** Our own refusals (supabase/schemas) and what row level security answers. */
const CODES: Record<string, ErrorCode> = {
  QP001: 'unauthenticated',
  QP002: 'forbidden',
  QP014: 'forbidden',
  QP015: 'forbidden',
  QP003: 'unauthenticated',
  QP004: 'not_found',
  QP005: 'forbidden',
  QP006: 'conflict',
  QP007: 'forbidden',
  QP012: 'conflict',
  '42501': 'forbidden',
  // U+0000, which an address or a body may hold and no column takes
  '22021': 'invalid_input',
  '22P05': 'invalid_input',
};

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Shutdown, crash, start-up and too many connections (PostgreSQL, appendix A). */
const LOST_STATES = new Set(['57P01', '57P02', '57P03', '53300']);
/**
 * The server is there and cannot do it now: out of disk, memory or another resource (class 53), input or output that fails (58), a statement
 * that took too long or waited too long for a lock, one of two that waited for each other, a server that is being made a replica.
 */
const BUSY_STATE = /^(?:53...|58...|57014|55P03|40001|40P01|25006)$/;

/** SQLSTATE or network code of a driver's error, or null. */
function databaseErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether the connection or the server went away, so that nothing was said about the statement itself. */
export function isConnectionLoss(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code !== null) return NETWORK_CODES.has(code) || LOST_STATES.has(code) || code.startsWith('08');
  // pg gives these no code
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/.test(
      error.message,
    )
  );
}

/** Whether all connections were in use for as long as one waits for one: whoever tried again at once would wait as long. */
export function isPoolTaken(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
}

/** A statement that this connection has prepared no longer fits its tables (`cached plan must not change result type`). */
export function isStalePlan(error: unknown): boolean {
  return databaseErrorCode(error) === '0A000';
}

/** An expected failure as AppError, with the driver's error as its cause; anything else unchanged. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = databaseErrorCode(error);
  const known = code === null ? undefined : CODES[code];
  if (known) return new AppError(known, { cause: error });
  // An id that is not a UUID comes from an address: there is nothing there.
  if (code === '22P02' && error instanceof Error && 'routine' in error && error.routine === 'string_to_uuid')
    return new AppError('not_found', { cause: error });
  if (isConnectionLoss(error) || (code !== null && BUSY_STATE.test(code))) return new AppError('unavailable', { cause: error });
  return error;
}
