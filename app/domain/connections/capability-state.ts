/** State of a capability, derived from its two fingerprints. */
export type CapabilityState = 'pending' | 'approved' | 'changed' | 'removed';

export function capabilityState(row: {
  fingerprint: string;
  approved_fingerprint: string | null;
  removed_at: Date | null;
}): CapabilityState {
  if (row.removed_at !== null) return 'removed';
  if (row.approved_fingerprint === null) return 'pending';
  return row.approved_fingerprint === row.fingerprint ? 'approved' : 'changed';
}
