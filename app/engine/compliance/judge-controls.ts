import type { ControlId, ControlStatus } from '#app/domain/audit/compliance.ts';

/** Numbers of a workspace, as `quorate.read_control_figures` answers them, and what its policies in force say. */
export type ControlFigures = {
  now: Date;
  policies: number;
  /** A rule in force that asks for an approval; one that looks at personal data. */
  asksApproval: boolean;
  guardsPersonalData: boolean;
  /** Warnings and denials of the last 30 days. */
  violations: number;
  members: number;
  approvers: number;
  /** Approvers who write no workflows. */
  approversApart: number;
  admins: number;
  decisions: boolean;
  firstEventAt: Date | null;
  unplacedSince: Date | null;
  checkpointAt: Date | null;
  checkpointSentAt: Date | null;
  haltedAt: Date | null;
  connections: number;
  /** Not checked within 30 days; failed their last check. */
  unchecked: number;
  failing: number;
  changedDefinitions: number;
  endlessKeys: number;
  expiredApprovals: number;
};

const DAY_MS = 86_400_000;
/** An event that has no place in the log after this long is late: the sequencer takes a second. */
const LATE_MS = 60_000;

/** The state of every control. Without evidence a control is never compliant. */
export function judgeControls(f: ControlFigures): Record<ControlId, ControlStatus> {
  const age = (at: Date | null) => (at === null ? Number.POSITIVE_INFINITY : f.now.getTime() - at.getTime());
  const late = f.unplacedSince !== null && age(f.unplacedSince) > LATE_MS;
  return {
    policies: f.policies > 0 ? 'compliant' : 'nonCompliant',
    oversight: f.approvers === 0 || !f.asksApproval ? 'nonCompliant' : f.expiredApprovals > 0 ? 'underReview' : 'compliant',
    separation: f.members < 2 || f.approvers === 0 ? 'nonCompliant' : f.approversApart === 0 ? 'underReview' : 'compliant',
    personalData: f.guardsPersonalData ? 'compliant' : 'nonCompliant',
    explained: f.decisions ? 'compliant' : 'underReview',
    log: late ? 'nonCompliant' : f.firstEventAt === null || f.checkpointAt === null ? 'underReview' : 'compliant',
    checkpointsLeave: age(f.checkpointSentAt) <= 2 * DAY_MS ? 'compliant' : f.checkpointSentAt === null ? 'underReview' : 'nonCompliant',
    definitions: f.changedDefinitions > 0 ? 'underReview' : 'compliant',
    thirdParties: f.unchecked > 0 ? 'underReview' : 'compliant',
    operation: f.failing > 0 ? 'underReview' : 'compliant',
    incidents: f.violations > 0 ? 'underReview' : 'compliant',
    stop: age(f.haltedAt) <= 365 * DAY_MS ? 'compliant' : 'underReview',
    keys: f.endlessKeys > 0 ? 'nonCompliant' : 'compliant',
  };
}

/** A regulation has the status of its weakest control. */
export function worstOf(statuses: readonly ControlStatus[]): ControlStatus {
  if (statuses.includes('nonCompliant')) return 'nonCompliant';
  return statuses.includes('underReview') ? 'underReview' : 'compliant';
}
