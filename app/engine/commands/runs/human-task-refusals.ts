import { AppError, type ErrorCode } from '#app/domain/errors.ts';
import { isSqlState } from '#app/engine/sql-state.ts';

/** Why nothing was done with a form, by the SQLSTATE of the functions of the database. */
const REFUSALS = {
  QT001: 'not_found',
  QT002: 'forbidden',
  QT003: 'forbidden',
  QT008: 'conflict',
  QT009: 'conflict',
  QT010: 'invalid_input',
} as const satisfies Record<string, ErrorCode>;

export type ChangedTask = { runId: string; step: string; workflow: string };

/** The run of a form that `write` has changed. @throws AppError not_found, forbidden, conflict where it is closed, or invalid_input */
export async function changeTask(write: () => Promise<{ rows: { a: ChangedTask }[] }>): Promise<ChangedTask> {
  try {
    const [row] = (await write()).rows;
    if (row === undefined) throw new AppError('not_found');
    return row.a;
  } catch (error) {
    const [refusal] = Object.entries(REFUSALS).filter(([state]) => isSqlState(error, state));
    throw refusal === undefined ? error : new AppError(refusal[1], { cause: error });
  }
}
