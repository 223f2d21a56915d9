/**
 * A moment of the last day of a time, for its end: ISO 8601, as `until` is, which is the first moment after. Alone in its file: pages that show
 * a day need no arithmetic of zones.
 */
export const lastDay = (until: string) => new Date(Date.parse(until) - 1).toISOString();
