/** Runs after the first requests of people who waited for the start. */
const AFTER_MS = 3_000;

/**
 * Gives back, once, what starting and the demo's sample runs have left behind: some 40 MB that V8 would keep for a young generation that an idle server
 * does not fill. Holds the event loop for about 0.1 s. `then` follows.
 */
export function releaseStartMemory(then: () => Promise<void> = async () => undefined): void {
  setTimeout(() => void collectGarbage().then(then), AFTER_MS).unref();
}

/** Asks V8 as a debugger would, which needs no flag and leaves no `gc` behind. Does nothing where Node was built without an inspector. */
export async function collectGarbage(): Promise<void> {
  const inspector = await import('node:inspector').catch(() => null);
  if (inspector === null) return;
  const session = new inspector.Session();
  session.connect();
  await new Promise<void>((resolve) => session.post('HeapProfiler.collectGarbage', () => resolve()));
  session.disconnect();
}
