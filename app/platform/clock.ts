import type { Clock } from '#app/domain/ports.ts';

export const systemClock: Clock = { now: () => new Date() };
