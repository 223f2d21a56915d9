import { instantOf } from '#app/domain/workflows/time-zone.ts';

/** The first moment of a day (`2026-11-27`) in a zone; null for a day or a zone that there is not. */
export const beginOfDay = (day: string, zone: string) => instantOf(`${day}T00:00`, zone);

/** The first moment after a day, as `beginOfDay`. */
export const endOfDay = (day: string, zone: string) => beginOfDay(new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10), zone);
