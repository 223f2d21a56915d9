export type AuthMode = 'sign-in' | 'sign-up';

/** The mode of the address: sign-in without one, null for a mode that does not exist. */
export function readAuthMode(params: URLSearchParams): AuthMode | null {
  const mode = params.get('mode') ?? 'sign-in';
  return mode === 'sign-in' || mode === 'sign-up' ? mode : null;
}
