import { z } from 'zod';

/** Triggers without which whoever holds the database could change a log unseen: table and trigger. */
export const LOG_GUARDS = [
  ['audit_events', 'guard_audit_event'],
  ['audit_events', 'guard_removal'],
  ['audit_events', 'guard_truncate'],
  ['audit_nodes', 'guard_change'],
  ['audit_nodes', 'guard_truncate'],
  ['checkpoints', 'immutable'],
  ['checkpoints', 'guard_removal'],
  ['checkpoints', 'guard_truncate'],
] as const;

export const LOG_FINDING_CODES = [
  'entryChanged',
  'entryDropped',
  'entryBlanked',
  'treeChanged',
  'checkpointChanged',
  'earlierState',
  'otherHistory',
  'markUnreadable',
  'unguarded',
] as const;
export type LogFindingCode = (typeof LOG_FINDING_CODES)[number];

/** A fault of a workspace's log. Values: `index` of an entry, `size` of a log, `signed`: size that this instance signed already. */
export const logFindingSchema = z.object({
  code: z.enum(LOG_FINDING_CODES),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type LogFinding = z.output<typeof logFindingSchema>;

/** The log is not the one that this instance signed last: it is not signed any further. */
export class LogRefusedError extends Error {
  readonly finding: LogFinding;
  constructor(finding: LogFinding) {
    super(REFUSALS[finding.code] ?? 'the stored log is not the one that was signed');
    this.name = 'LogRefusedError';
    this.finding = finding;
  }
}

const HOW_ON =
  'If you restored a backup, continue with: npm run accept-log -- WORKSPACE. If you did not, the database was changed by somebody else: keep it as it is and look into it';
const REFUSALS: Partial<Record<LogFindingCode, string>> = {
  earlierState: `the log is shorter than what was signed. ${HOW_ON}`,
  otherHistory: `the log is another than what was signed. ${HOW_ON}`,
  markUnreadable: `the mark of what was signed cannot be read. ${HOW_ON}`,
};
