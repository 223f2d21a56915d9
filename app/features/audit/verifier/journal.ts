import type { EventClaim, RunClaim } from '#app/features/audit/verifier/bundle.ts';
import { canonical, fromHex, sha256, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { leafHash, rootOf } from '#app/features/audit/verifier/merkle.ts';
import { list, string } from '#app/features/audit/verifier/read-value.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';

/** The closing entry names every entry of the run and of its approvals before it: one that is missing from the file was dropped. */
function verifyRunEntries(closing: EventClaim, bundled: readonly EventClaim[], say: Say): void {
  const named = closing.payload?.events;
  if (named === undefined) {
    say('runEntriesUnbound', 'unknown', { event: closing.leafIndex });
    return;
  }
  const present = new Set(bundled.map((event) => event.id));
  const ids = list(named, 'payload.events').map((id) => string(id, 'payload.events'));
  for (const id of ids) if (!present.has(id)) say('runEntryDropped', 'failed', { id });
  if (ids.every((id) => present.has(id))) say('runEntriesComplete', 'ok', { count: ids.length, event: closing.leafIndex });
}

export async function verifyRun(run: RunClaim, events: readonly EventClaim[], bundled: readonly EventClaim[], say: Say): Promise<void> {
  const [closing, ...others] = events.filter((event) => event.resource === `run/${run.id}` && typeof event.payload?.journal === 'string');
  if (closing?.payload === undefined || closing.payload === null) {
    say('journalOpen', 'unknown', { run: run.id });
    return;
  }
  for (const other of others) say('journalBroken', 'failed', { run: run.id, event: other.leafIndex });
  verifyRunEntries(closing, bundled, say);
  const expected = new Map<string, string>();
  if (Array.isArray(closing.payload.records))
    for (const entry of closing.payload.records)
      if (Array.isArray(entry)) expected.set(string(entry[0], 'journal record'), string(entry[1], 'journal record'));

  const found = new Map<string, string>();
  for (const claim of run.records) {
    found.set(claim.name, toHex(await leafHash(claim.record)));
    for (const part of ['input', 'output'] as const) {
      const digest = claim.record[part] ?? null;
      // A null has a digest or none, and never content.
      const found = toHex(await sha256(utf8(canonical(claim.contents[part] ?? null))));
      if (claim.contents[part] === undefined && digest !== null && digest !== found)
        say('contentMissing', 'unknown', { record: claim.name, part });
      else if (claim.contents[part] !== undefined && digest !== found) say('contentChanged', 'failed', { record: claim.name, part });
    }
  }
  let broken = 0;
  for (const [name, hash] of expected) {
    if (found.get(name) === hash) continue;
    broken += 1;
    say(found.has(name) ? 'recordChanged' : 'recordDropped', 'failed', { record: name });
  }
  for (const name of found.keys()) {
    if (expected.size === 0 || expected.has(name)) continue;
    broken += 1;
    say('recordAdded', 'failed', { record: name });
  }
  const hashes = [...(expected.size === 0 ? found : expected).values()].map(fromHex);
  const root = toHex(await rootOf(hashes));
  if (root !== closing.payload.journal) say('journalBroken', 'failed', { run: run.id, event: closing.leafIndex });
  else if (broken === 0) say('journalComplete', 'ok', { count: run.records.length, event: closing.leafIndex });
}
