/** A moment of the last day away, for the end of it: ISO 8601, as `until` is, which is the first moment after. */
export const lastDay = (until: string) => new Date(Date.parse(until) - 1).toISOString();
