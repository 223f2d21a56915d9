import type { Refusals } from '#app/engine/commands/command.ts';

/** Refusals of the database for an act on an incident. */
export const INCIDENT_REFUSALS = {
  QI002: { code: 'forbidden', reasons: [{ key: 'incidentForbidden' }] },
  QI003: { code: 'conflict', reasons: [{ key: 'incidentClosed' }] },
  QI004: { code: 'conflict', reasons: [{ key: 'incidentReportUnknown' }] },
  QI005: { code: 'conflict', reasons: [{ key: 'incidentReportsOpen' }] },
} as const satisfies Refusals;
