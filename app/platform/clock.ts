import type { Clock } from '#app/contracts/ports.ts';

export const systemClock: Clock = { now: () => new Date() };
