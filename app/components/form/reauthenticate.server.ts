import type { RouterContextProvider } from 'react-router';
import type { RequestAuth } from '#app/contracts/identity.ts';
import { authContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/**
 * For commands that ask for the password again, with what it is given for, where the database asks for that. Null: it is this person's. Otherwise
 * the fault, as a key of `validation`.
 */
export async function reauthenticate(
  context: Readonly<RouterContextProvider>,
  password: string,
  noted: Parameters<RequestAuth['reauthenticate']>[1] = null,
): Promise<string | null> {
  try {
    return (await context.get(authContext).reauthenticate(password, noted)) ? null : 'wrongPassword';
  } catch (error) {
    if (error instanceof AppError && error.code === 'over_limit') return 'tooManyAttempts';
    if (error instanceof AppError && error.code === 'unavailable') return 'identityUnavailable';
    throw error;
  }
}
