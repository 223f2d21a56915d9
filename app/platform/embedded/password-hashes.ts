/**
 * The auth service hashes a password only where there is one to compare it with. How long it took, or how long the others in the queue
 * waited, would tell whether an address has an account: so every attempt costs one hash, whoever it is for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import bcrypt from 'bcryptjs';

/** The hash of a password that nobody knows, with the service's own cost. */
const DECOY = '$2b$10$mmuOq3ipJzca.EU1w5k6neZmH/2nfAHBEmWQn1CmMdB98P8BLWEcS';

const counted = new AsyncLocalStorage<{ hashes: number }>();

const count = <A extends unknown[], R>(work: (...values: A) => R) => {
  return (...values: A): R => {
    const here = counted.getStore();
    if (here !== undefined) here.hashes += 1;
    return work(...values);
  };
};
// The auth service hashes with this very module (`package.json` pins one version), and is counted from now on.
Object.assign(bcrypt, { hash: count(bcrypt.hash), compare: count(bcrypt.compare) });

/** Does the work of one request; if an attempt with a password needed no hash, a dummy is hashed. Returns how many it took. */
export function withEvenHashing<T>(request: Request, work: () => Promise<T>): Promise<{ result: T; hashes: number }> {
  const here = { hashes: 0 };
  return counted.run(here, async () => {
    const result = await work();
    if (here.hashes === 0 && isAttempt(request)) await bcrypt.compare('a password', DECOY);
    return { result, hashes: here.hashes };
  });
}

function isAttempt({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url);
  if (method !== 'POST') return false;
  return pathname === '/auth/v1/signup' || (pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'password');
}
