import type { Log } from '#app/contracts/ports.ts';

/** For what a test provokes on purpose; its outcome is asserted, not read. */
export const quietLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
