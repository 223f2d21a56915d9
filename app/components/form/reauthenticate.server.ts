import type { RouterContextProvider } from 'react-router';
import type { Proof, RequestAuth } from '#app/contracts/identity.ts';
import { authContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/**
 * For commands that ask for a proof again, with what it is given for, where the database asks for that. Null: it is this person. Otherwise the
 * faults by field, as keys of `validation`.
 */
export async function reauthenticate(
  context: Readonly<RouterContextProvider>,
  proof: Proof,
  noted: Parameters<RequestAuth['reauthenticate']>[1] = null,
): Promise<Record<string, string[]> | null> {
  try {
    const refusal = await context.get(authContext).reauthenticate(proof, noted);
    return refusal === null ? null : { [refusal.field]: [refusal.text] };
  } catch (error) {
    if (error instanceof AppError && error.code === 'over_limit') return { password: ['tooManyAttempts'] };
    if (error instanceof AppError && error.code === 'unavailable') return { password: ['identityUnavailable'] };
    throw error;
  }
}
