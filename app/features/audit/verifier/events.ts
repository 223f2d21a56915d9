import type { Bundle, EventClaim } from '#app/features/audit/verifier/bundle.ts';
import { type Bytes, canonical, sha256, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { type Head, leafHash, provesInclusion } from '#app/features/audit/verifier/merkle.ts';
import { list, whole } from '#app/features/audit/verifier/read-value.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';

/** Actions whose payload names what they erased (`erased`: stretches of the log, each from a place up to, not including, another). */
const ERASING_ACTIONS = ['account.deleted'];

/** An event that is in the log with the content that the file has, and the hash of its leaf. */
export type SoundEvent = { event: EventClaim; leaf: Bytes };

export async function verifyEvents(bundle: Bundle, newest: Head, say: Say): Promise<SoundEvent[]> {
  const sound: SoundEvent[] = [];
  const seen = new Set<number>();
  const blank: EventClaim[] = [];
  let unchanged = 0;
  for (const event of bundle.events) {
    const where = { index: event.leafIndex, id: event.id, action: event.action };
    if (seen.has(event.leafIndex)) say('eventTwice', 'failed', where);
    seen.add(event.leafIndex);
    if (`/${event.workspace}` !== newest.origin.slice(newest.origin.lastIndexOf('/'))) say('eventOtherLog', 'failed', where);

    const contentHolds =
      event.body === null || event.salt === null || toHex(await sha256(event.salt, utf8(canonical(event.body)))) === event.bodyDigest;
    if (!contentHolds) say('eventChanged', 'failed', where);
    else if (event.body === null) blank.push(event);
    else unchanged += 1;

    const leaf = { v: 1, id: event.id, workspace: event.workspace, at: event.at, body: event.bodyDigest };
    const hash = await leafHash(leaf);
    const included = await provesInclusion(hash, event.leafIndex, newest, event.inclusion);
    if (!included) say('eventNotIncluded', 'failed', { ...where, size: newest.size });
    if (included && contentHolds) sound.push({ event, leaf: hash });
  }
  if (unchanged > 0) say('eventsUnchanged', 'ok', { count: unchanged });
  verifyErased(
    blank,
    sound.map(({ event }) => event),
    say,
  );
  if (sound.length > 0) say('eventsIncluded', 'ok', { count: sound.length, size: newest.size });
  return sound;
}

/** Anyone can blank a body in a file. It counts as erased only where an entry of the log, later than the erased one, names its place. */
function verifyErased(blank: readonly EventClaim[], sound: readonly EventClaim[], say: Say): void {
  const erasures = sound.filter((event) => ERASING_ACTIONS.includes(event.action)).map((event) => ({ event, named: erasedBy(event) }));
  let erased = 0;
  for (const { leafIndex, id } of blank) {
    const isNamed = erasures.some(
      ({ event, named }) => event.leafIndex > leafIndex && named.some(([from, to]) => from <= leafIndex && leafIndex < to),
    );
    if (isNamed) erased += 1;
    else say('eventBlanked', 'unknown', { index: leafIndex, id });
  }
  if (erased > 0) say('eventsErased', 'ok', { count: erased });
}

function erasedBy(event: EventClaim): [from: number, to: number][] {
  const { erased = [] } = event.payload ?? {};
  return list(erased, 'payload.erased').map((stretch) => {
    const [from, to] = list(stretch, 'payload.erased');
    return [whole(from, 'payload.erased'), whole(to, 'payload.erased')];
  });
}
