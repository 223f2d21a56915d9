import { Resolver } from 'node:dns/promises';
import type { ResolveTxt } from '#app/contracts/company-sign-in.ts';

const TIMEOUT_MS = 3_000;
const NO_RECORDS = new Set(['ENODATA', 'ENOTFOUND']);

/** TXT records by the system's resolvers, within three seconds and one retry. A record in several pieces is one (RFC 7208, section 3.3). */
export const resolveTxt: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_RECORDS.has(String(error.code))) return [];
    throw error;
  }
};
