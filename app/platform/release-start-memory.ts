import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Past the first requests of whoever waited for the start. */
const AFTER_MS = 3_000;

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Gives back, once, what starting has left behind: some 40 MB that V8 would keep for a young generation that an idle server
 * does not fill. Holds the event loop for about 0.1 s.
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: unknown = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    if (typeof collectGarbage === 'function')
      (collectGarbage as CollectGarbage)({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, AFTER_MS).unref();
}
