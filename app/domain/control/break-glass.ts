import type { Json } from '#app/contracts/json.ts';

/** The hours that break-glass may be asked for; the database takes no more than the last. */
export const BREAK_GLASS_HOURS = [1, 4, 8, 24] as const;

/** The control changes that break-glass had made when an entry of the log was recorded, by `quorate.mark_break_glass`. */
export function breakGlassOf(payload: Json): string[] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
  const { breakGlass } = payload;
  return Array.isArray(breakGlass) ? breakGlass.filter((change): change is string => typeof change === 'string') : [];
}
