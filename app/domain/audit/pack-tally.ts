import { PACK_EXCEPTIONS, type PackException, type PackRecord } from '#app/domain/audit/pack-records.ts';

/** Counts over the records of one control. */
export type PackTally = {
  population: number;
  decisions: number;
  approvals: number;
  denials: number;
  /** Of all records: before the act; after it; no act followed, or none yet. */
  before: number;
  after: number;
  noAct: number;
  /** Records with at least one exception. */
  exceptional: number;
  exceptions: Record<PackException, number>;
  breakGlass: number;
};

export function emptyTally(): PackTally {
  const none = { population: 0, decisions: 0, approvals: 0, denials: 0, before: 0, after: 0, noAct: 0, exceptional: 0, breakGlass: 0 };
  return { ...none, exceptions: Object.fromEntries(PACK_EXCEPTIONS.map((name) => [name, 0])) as PackTally['exceptions'] };
}

/** Counts one more record, in place: a population may have hundreds of thousands. */
export function count(tally: PackTally, record: PackRecord): void {
  tally.population += 1;
  if (record.kind === 'decision') tally.decisions += 1;
  if (record.shows === 'approval') tally.approvals += 1;
  if (record.shows === 'denial') tally.denials += 1;
  tally[record.before === null ? 'noAct' : record.before ? 'before' : 'after'] += 1;
  if (record.exceptions.length > 0) tally.exceptional += 1;
  for (const name of record.exceptions) tally.exceptions[name] += 1;
  if (record.breakGlass) tally.breakGlass += 1;
}
