/** How many of the last runs a replay may look at; the first is the usual one. */
export const REPLAY_RUNS = [20, 100, 500] as const;
