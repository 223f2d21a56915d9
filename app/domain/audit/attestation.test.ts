import { expect, it } from 'vitest';
import { type Attestation, attestedStatus, attestedUntil, isStale, USUAL_MONTHS } from '#app/domain/audit/attestation.ts';
import { CONTROLS } from '#app/domain/audit/compliance.ts';

const at = new Date('2026-08-31T10:00:00Z');
const attestation: Attestation = { by: 'Ada', at: at.toISOString(), until: attestedUntil(at, 6).toISOString(), note: 'Seen', months: 6 };

it('holds for its months and is stale from their very end', () => {
  expect(attestation.until).toBe('2027-02-28T10:00:00.000Z');
  expect(isStale(attestation, new Date('2027-02-28T09:59:59Z'))).toBe(false);
  expect(isStale(attestation, new Date('2027-02-28T10:00:00Z'))).toBe(true);
});

it('makes a control no better, and when it is stale one that has to be looked at', () => {
  const later = new Date('2027-03-01T00:00:00Z');
  expect(attestedStatus('compliant', attestation, at)).toBe('compliant');
  expect(attestedStatus('compliant', attestation, later)).toBe('underReview');
  expect(attestedStatus('nonCompliant', attestation, at)).toBe('nonCompliant');
  expect(attestedStatus('nonCompliant', attestation, later)).toBe('nonCompliant');
  expect(attestedStatus('compliant', null, later)).toBe('compliant');
});

it('every control has a usual time', () => {
  expect(Object.keys(USUAL_MONTHS).sort()).toEqual([...CONTROLS].sort());
});
