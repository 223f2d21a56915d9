import { LRUCache } from 'lru-cache';
import type { Db } from '#app/contracts/db.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';

type Asked = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

const LIMIT = { max: 30, windowSeconds: 15 * 60 };
const MAX_SHUT_OUT = 10_000;
/** Blocked addresses, until when: their further failures need not be written. */
const shutOut = new LRUCache<string, number>({ max: MAX_SHUT_OUT });

/**
 * Counts a call that has proved nothing (an unknown key, a wrong signature) against its address: 30 in a quarter of an hour. Returns 0, or
 * the seconds until the address is told again what was wrong. Called after the failure alone, so that whoever is known is never refused.
 */
export async function countFailure(asNobody: Asked, name: 'wrongKeys' | 'wrongHooks' | 'wrongCallbacks', block: string): Promise<number> {
  const subject = `${name}:${block}`;
  const left = ((shutOut.get(subject) ?? 0) - performance.now()) / 1_000;
  if (left > 0) return Math.ceil(left);
  const wait = await asNobody((db) => takeLimit(db, { name, ...LIMIT }, block));
  if (wait > 0) shutOut.set(subject, performance.now() + wait * 1_000);
  return wait;
}
