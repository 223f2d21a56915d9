/** True when this error, or its cause, is the database's refusal with this SQLSTATE. */
export function isSqlState(error: unknown, state: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === state) return true;
  }
  return false;
}

export const UNIQUE_VIOLATION = '23505';
