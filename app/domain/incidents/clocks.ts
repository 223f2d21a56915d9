import type { Harm, Regime, ReportStepId } from '#app/domain/incidents/incident.ts';

/** A span from a moment of the incident, or from when an earlier report was sent. Exactly one unit. */
export type ClockSpan = {
  of: 'noticed' | 'classified' | ReportStepId;
  hours?: number | undefined;
  days?: number | undefined;
  months?: number | undefined;
};

/** One report that a law asks for. `atMost`: an outer bound, which also holds while `within` has not begun. `sooner`: by the harm. */
export type ReportStep = {
  id: ReportStepId;
  article: string;
  within: ClockSpan;
  atMost?: ClockSpan | undefined;
  sooner?: readonly { harm: Harm; article: string; within: ClockSpan }[] | undefined;
};

/** The moments that clocks start from; `harm`: what shortens them. */
export type IncidentFacts = { noticedAt: Date; classifiedAt: Date | null; harm: Harm | null };

/** When each report of a regime was sent. */
export type SentAt = Partial<Record<ReportStepId, Date>>;

/** `due` null: it starts with an earlier report. `near`: when a reminder of it is due. */
export type Clock = { regime: Regime; step: ReportStepId; article: string; due: Date | null; near: Date | null; sent: Date | null };

const HOUR_MS = 3_600_000;
const LONGEST_NOTICE_MS = 3 * 24 * HOUR_MS;

/** The clocks of one regime, in the order of its reports. */
export function clocksOf(regime: Regime, steps: readonly ReportStep[], facts: IncidentFacts, sent: SentAt): Clock[] {
  const startOf = ({ of }: ClockSpan) =>
    of === 'noticed' ? facts.noticedAt : of === 'classified' ? facts.classifiedAt : (sent[of] ?? null);
  return steps.map((step) => {
    const sooner = step.sooner?.find(({ harm }) => harm === facts.harm);
    const { within, article } = sooner ?? step;
    const start = startOf(within);
    const due = dueOf(start, within, step.atMost, startOf);
    const from = start ?? facts.noticedAt;
    return { regime, step: step.id, article, due, near: due && nearOf(from, due), sent: sent[step.id] ?? null };
  });
}

function dueOf(start: Date | null, within: ClockSpan, atMost: ClockSpan | undefined, startOf: (span: ClockSpan) => Date | null) {
  const outerStart = atMost === undefined ? null : startOf(atMost);
  const outer = atMost === undefined || outerStart === null ? null : endOf(outerStart, atMost);
  if (start === null) return outer;
  const due = endOf(start, within);
  // Begun after the outer bound, it has its own span: DORA counts from a classification that came later than a day after the awareness.
  return outer !== null && outer < due && start <= outer ? outer : due;
}

/** The end of a span. A month ends on the same day of the next one, or on its last where that has no such day; in UTC. */
export function endOf(start: Date, { hours = 0, days = 0, months = 0 }: Omit<ClockSpan, 'of'>): Date {
  const moved = new Date(start);
  if (months > 0) {
    moved.setUTCDate(1);
    moved.setUTCMonth(moved.getUTCMonth() + months);
    const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
    moved.setUTCDate(Math.min(start.getUTCDate(), last));
  }
  return new Date(moved.getTime() + hours * HOUR_MS + days * 24 * HOUR_MS);
}

/** The last quarter of the span, three days at most: of four hours the last one. */
const nearOf = (start: Date, due: Date) =>
  new Date(due.getTime() - Math.min(LONGEST_NOTICE_MS, Math.max(0, (due.getTime() - start.getTime()) / 4)));

export type ClockState = 'waiting' | 'open' | 'overdue' | 'sent' | 'sentLate';

/** How a report stands at a moment. */
export function clockState({ due, sent }: { due: Date | null; sent: Date | null }, now: Date): ClockState {
  if (sent !== null) return due !== null && sent > due ? 'sentLate' : 'sent';
  if (due === null) return 'waiting';
  return due <= now ? 'overdue' : 'open';
}
