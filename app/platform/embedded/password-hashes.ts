/**
 * The auth service hashes a password only where there is one to compare it with. How long it took, or how long the others in the queue
 * waited, would tell whether an address has an account: so every attempt costs one hash, whoever it is for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

type Bcrypt = { hash(text: string, cost: number): Promise<string>; compare(text: string, hash: string): Promise<boolean> };

/** Of a password that nobody knows, with the service's own cost. */
const DECOY = '$2b$10$mmuOq3ipJzca.EU1w5k6neZmH/2nfAHBEmWQn1CmMdB98P8BLWEcS';

const counted = new AsyncLocalStorage<{ hashes: number }>();

/** The very module that the auth service hashes with, counting from now on. */
async function watchedBcrypt(): Promise<Bcrypt> {
  const service = findPackageJSON('@supabase/lite', import.meta.url);
  const manifest = service === undefined ? undefined : findPackageJSON('bcryptjs', service);
  if (manifest === undefined) throw new Error('the auth service hashes with something that is not there');
  const { default: bcrypt }: { default: Bcrypt } = await import(/* @vite-ignore */ new URL('index.js', pathToFileURL(manifest)).href);
  const count = <A extends unknown[], R>(work: (...values: A) => R) => {
    return (...values: A): R => {
      const here = counted.getStore();
      if (here !== undefined) here.hashes += 1;
      return work(...values);
    };
  };
  bcrypt.hash = count(bcrypt.hash);
  bcrypt.compare = count(bcrypt.compare);
  return bcrypt;
}
const bcrypt = await watchedBcrypt();

/** Does the work of one request; where it is an attempt with a password and hashed none, one is hashed for nobody. Answers how many it took. */
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
