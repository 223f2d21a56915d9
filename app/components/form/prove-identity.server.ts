import type { RouterContextProvider } from 'react-router';
import { AppError } from '#app/domain/errors.ts';
import { authContext } from '#app/request-context.ts';

/** For what asks for the password again. Null: it is them. Otherwise what is wrong, as a key of `validation`. */
export async function proveIdentity(context: Readonly<RouterContextProvider>, password: string): Promise<string | null> {
  const { user, verifyPassword } = context.get(authContext);
  try {
    return user !== null && (await verifyPassword(user.email, password)) ? null : 'wrongPassword';
  } catch (error) {
    if (error instanceof AppError && error.code === 'over_limit') return 'tooManyAttempts';
    if (error instanceof AppError && error.code === 'unavailable') return 'identityUnavailable';
    throw error;
  }
}
