/** Calls in a minute: with one API key, and of one webhook. */
export type Paces = { keys: number; hooks: number };

/** `runsAtOnce`: how many runs of a workspace are driven at once, null for any number. `queuedRuns`: how many may wait for their start. */
export type RunLimits = { runsAtOnce: number | null; queuedRuns: number };

/** The most that a workspace may set, and how many runs may wait in all workspaces together. */
export type RunCeilings = RunLimits & { queuedInAll: number };
