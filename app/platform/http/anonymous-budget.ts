import { LRUCache } from 'lru-cache';
import { addressBlock } from '#app/domain/web/address-block.ts';

/** Rendering the answer to a form costs about as much as reading this many bytes, whatever the form holds (tests/bench/flood-load.ts). */
const REQUEST_COST = 8_192;
/** The budget of one address, refilled each minute. */
const CAPACITY = 16 * 1_048_576;
const REFILL_MS = 60_000;
const MAX_ADDRESSES = 10_000;

type Account = { left: number; at: number };

/**
 * The budget for anonymous forms in bytes, for each address and process. Only forms without a session are counted here: whoever is signed
 * in or shows a key is never refused for what others at the same address do.
 */
export type AnonymousBudget = {
  /** Begins one request. Returns 0, or the whole seconds to wait until the address can afford it. */
  begin(address: string): number;
  /** Charges bytes that have come. An address may owe as much as it may spend at once. */
  spend(address: string, bytes: number): void;
};

export function createAnonymousBudget(now: () => number = () => performance.now()): AnonymousBudget {
  const accounts = new LRUCache<string, Account>({ max: MAX_ADDRESSES });
  const accountOf = (address: string): Account => {
    const block = addressBlock(address);
    const known = accounts.get(block);
    const at = now();
    const left = known === undefined ? CAPACITY : Math.min(CAPACITY, known.left + ((at - known.at) / REFILL_MS) * CAPACITY);
    const account = { left, at };
    accounts.set(block, account);
    return account;
  };
  return {
    begin(address) {
      const account = accountOf(address);
      const missing = REQUEST_COST - account.left;
      if (missing > 0) return Math.ceil(((missing / CAPACITY) * REFILL_MS) / 1_000);
      account.left -= REQUEST_COST;
      return 0;
    },
    spend(address, bytes) {
      const account = accountOf(address);
      account.left = Math.max(-CAPACITY, account.left - bytes);
    },
  };
}
