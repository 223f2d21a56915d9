import type { RouterContextProvider } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/** For commands that ask for the password again. Null: it is this person's. Otherwise the fault, as a key of `validation`. */
export async function reauthenticate(context: Readonly<RouterContextProvider>, password: string): Promise<string | null> {
  const { user, verifyPassword } = context.get(authContext);
  try {
    return user !== null && (await verifyPassword(user.email, password)) ? null : 'wrongPassword';
  } catch (error) {
    if (error instanceof AppError && error.code === 'over_limit') return 'tooManyAttempts';
    if (error instanceof AppError && error.code === 'unavailable') return 'identityUnavailable';
    throw error;
  }
}
