/** A day (2027-12-02) or, where nobody says the day, a month (2025-10): the whole month counts from its first day. */
export type LawDay = string;

/** The dates of one law or standard, as its official text or its authority states them. A date that is not certain is left out. */
export type LawDates = {
  inForce?: LawDay | undefined;
  /** From when it applies, by part where that differs; without a part it is everything else. */
  applies: readonly { part?: string | undefined; from: LawDay }[];
  supersededBy?: { name: string; law?: string | undefined; on: LawDay } | undefined;
  /** Day of a draft that nobody has adopted. */
  draftOf?: LawDay | undefined;
};

export const VALIDITIES = ['inForce', 'partly', 'coming', 'draft', 'superseded'] as const;
export type Validity = (typeof VALIDITIES)[number];

export type LawChange = { on: LawDay; kind: 'inForce' | 'applies' | 'superseded'; part?: string; by?: string };

const firstDay = (day: LawDay) => (day.length === 7 ? `${day}-01` : day);
const isAhead = (day: LawDay, today: string) => firstDay(day) > today;

/** How a law stands on a day (YYYY-MM-DD). One whose dates nobody recorded is in force: it would be a draft or superseded otherwise. */
export function validityOn(dates: LawDates, today: string): Validity {
  if (dates.supersededBy !== undefined && !isAhead(dates.supersededBy.on, today)) return 'superseded';
  if (dates.draftOf !== undefined) return 'draft';
  if (dates.inForce !== undefined && isAhead(dates.inForce, today)) return 'coming';
  const ahead = dates.applies.filter(({ from }) => isAhead(from, today)).length;
  if (ahead === 0) return 'inForce';
  return ahead === dates.applies.length ? 'coming' : 'partly';
}

/** Every date of a law after a day (YYYY-MM-DD), the nearest first. */
export function changesAfter(dates: LawDates, today: string): LawChange[] {
  const all: LawChange[] = [
    ...(dates.inForce === undefined ? [] : [{ on: dates.inForce, kind: 'inForce' as const }]),
    ...dates.applies.map(({ part, from }) => ({ on: from, kind: 'applies' as const, ...(part === undefined ? {} : { part }) })),
    ...(dates.supersededBy === undefined ? [] : [{ on: dates.supersededBy.on, kind: 'superseded' as const, by: dates.supersededBy.name }]),
  ];
  return all.filter(({ on }) => isAhead(on, today)).sort(byDay);
}

/** Order by day. */
export function byDay(a: { on: LawDay }, b: { on: LawDay }): number {
  const [one, other] = [firstDay(a.on), firstDay(b.on)];
  return one === other ? 0 : one < other ? -1 : 1;
}
