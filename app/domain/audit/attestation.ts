import type { ControlId, ControlStatus } from '#app/domain/audit/compliance.ts';
import { endOf } from '#app/domain/incidents/clocks.ts';

/** The word of a person that a control operates. `months`: how long it holds. Times are ISO 8601. */
export type Attestation = { by: string | null; at: string; until: string; note: string; months: number };

/** Months that an attestation may hold. */
export const ATTESTED_MONTHS = [1, 3, 6, 12, 24] as const;
export const ATTESTATION_NOTE_MAX = 2_000;

/** Months for which a control is attested where nobody chose others before: what changes by the day is looked at more often. */
export const USUAL_MONTHS: Record<ControlId, (typeof ATTESTED_MONTHS)[number]> = {
  policies: 6,
  oversight: 6,
  separation: 12,
  personalData: 6,
  explained: 12,
  log: 12,
  checkpointsLeave: 6,
  definitions: 3,
  thirdParties: 3,
  operation: 3,
  incidents: 3,
  stop: 12,
  keys: 3,
};

export const attestedUntil = (at: Date, months: number): Date => endOf(at, { months });

/** Whether the time of an attestation is over at a moment. */
export const isStale = ({ until }: Attestation, at: Date): boolean => new Date(until) <= at;

/** The state of a control with its attestation: a stale one has to be looked at, whatever the figures say. Without one the figures decide. */
export function attestedStatus(status: ControlStatus, attestation: Attestation | null, at: Date): ControlStatus {
  return attestation !== null && isStale(attestation, at) && status === 'compliant' ? 'underReview' : status;
}
