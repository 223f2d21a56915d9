/** `unknown`: could not be checked, or says nothing against the evidence but does not prove it either. */
export type CheckState = 'ok' | 'failed' | 'unknown';
/** A finding, as a key of the texts (`checks.<code>`) and its values. */
export type Check = { code: CheckCode; state: CheckState; values: Record<string, string | number> };
/**
 * `failed`: something was changed, dropped or forged. `unpinned`: all is consistent, but nobody says whose key that is. `part`: proven, and
 * the file says itself that it holds a part of the log. `incomplete`: something is missing that would have to be there for a proof.
 */
export type Report = { verdict: 'proven' | 'part' | 'unpinned' | 'failed' | 'incomplete'; subject: Subject | null; checks: Check[] };
/** The subject of the evidence: `id` of the event or run; for a stretch of the log its origin; of a pack what it is about. */
export type Subject = { kind: 'event' | 'run' | 'log' | 'pack'; id: string };

export const CHECK_CODES = [
  'malformed',
  'keyPinned',
  'keyDiffers',
  'keyNotPinned',
  'keysFollowed',
  'successionForged',
  'successionBroken',
  'keyWentBack',
  'signedBefore',
  'signaturesUnsupported',
  'checkpointSigned',
  'checkpointForged',
  'checkpointOtherLog',
  'historyConsistent',
  'historyRewritten',
  'receivedMatches',
  'receivedDiffers',
  'receivedForged',
  'receivedNotCovered',
  'olderFile',
  'logWentBack',
  'witnessed',
  'witnessedInPart',
  'notWitnessed',
  'witnessesNotPinned',
  'cosignatureForged',
  'stamped',
  'stampForged',
  'stampNotChecked',
  'eventsUnchanged',
  'eventChanged',
  'eventsErased',
  'eventBlanked',
  'eventsIncluded',
  'eventNotIncluded',
  'eventOtherLog',
  'eventTwice',
  'signaturesBound',
  'signatureUnbound',
  'rangeComplete',
  'partOfLog',
  'restMissing',
  'eventDropped',
  'journalComplete',
  'journalBroken',
  'journalOpen',
  'runEntriesComplete',
  'runEntryDropped',
  'runEntriesUnbound',
  'recordChanged',
  'recordDropped',
  'recordAdded',
  'contentChanged',
  'contentMissing',
  'packSigned',
  'packForged',
  'packRecordsUnchanged',
  'packRecordsChanged',
  'packSampleDrawn',
  'packSampleDiffers',
  'packSampleProven',
  'packRecordUnproven',
  'packDecisionOpen',
  'moreOfThese',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

export type Say = (code: CheckCode, state: CheckState, values?: Check['values']) => void;

/** Sentences of one kind at most; the rest is counted. */
const MOST_OF_A_KIND = 50;

/** Findings that leave a proof open although nothing is wrong. */
const OPEN: readonly CheckCode[] = [
  'signedBefore',
  'signaturesUnsupported',
  'receivedNotCovered',
  'olderFile',
  'notWitnessed',
  'witnessedInPart',
  'eventBlanked',
  'restMissing',
  'journalOpen',
  'runEntriesUnbound',
  'contentMissing',
  'packDecisionOpen',
];

/** The verdict on all findings, with those to show. */
export function reportOn(findings: readonly Check[], subject: Subject | null): Report {
  const checks = shorten(findings);
  const some = (test: (check: Check) => boolean) => findings.some(test);
  if (some((check) => check.state === 'failed')) return { verdict: 'failed', subject, checks };
  if (some((check) => check.code === 'keyNotPinned')) return { verdict: 'unpinned', subject, checks };
  if (some((check) => OPEN.includes(check.code))) return { verdict: 'incomplete', subject, checks };
  return { verdict: some((check) => check.code === 'partOfLog') ? 'part' : 'proven', subject, checks };
}

function shorten(findings: readonly Check[]): Check[] {
  const counts = new Map<CheckCode, number>();
  const shown: Check[] = [];
  for (const check of findings) {
    const count = (counts.get(check.code) ?? 0) + 1;
    counts.set(check.code, count);
    if (count <= MOST_OF_A_KIND) shown.push(check);
  }
  const hidden = findings.length - shown.length;
  if (hidden > 0) shown.push({ code: 'moreOfThese', state: 'failed', values: { count: hidden } });
  return shown;
}
