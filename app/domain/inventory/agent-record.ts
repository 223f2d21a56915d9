/** Risk classes of the AI Act: Article 5 prohibits, Article 6 is high, Article 50 asks for transparency, the rest is minimal. From low to high. */
export const RISK_CLASSES = ['minimal', 'limited', 'high', 'prohibited'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

/** Classes of data that an agent works with; `special`: special categories of personal data (GDPR, Article 9). */
export const DATA_CLASSES = ['public', 'internal', 'confidential', 'personal', 'special'] as const;
export type DataClass = (typeof DATA_CLASSES)[number];

export const PURPOSE_MAX = 2_000;

/** Whether the second class is lower than the first: what was not classed is below all of them. The same in `quorate.lowers_risk`. */
export function lowersRisk(before: RiskClass | null, after: RiskClass | null): boolean {
  const place = (risk: RiskClass | null) => (risk === null ? -1 : RISK_CLASSES.indexOf(risk));
  return place(after) < place(before);
}

/** How a review stands on a day (YYYY-MM-DD): on its own day it is due, and overdue from the next one on. */
export function reviewState(reviewOn: string | null, today: string): 'none' | 'planned' | 'overdue' {
  if (reviewOn === null) return 'none';
  return reviewOn < today ? 'overdue' : 'planned';
}
