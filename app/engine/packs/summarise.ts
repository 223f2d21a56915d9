import { createHash } from 'node:crypto';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import type { ControlId } from '#app/domain/audit/compliance.ts';
import { PACK_SAMPLE, type PackRecord } from '#app/domain/audit/pack-records.ts';
import { count, emptyTally, type PackTally } from '#app/domain/audit/pack-tally.ts';
import type { Read } from '#app/engine/packs/batch.ts';
import { Sample, sampleKey } from '#app/engine/packs/draw-sample.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import { readRecords } from '#app/engine/packs/read-records.ts';

export type ControlSummary = { id: ControlId; tally: PackTally; sample: PackRecord[] };
/** `digest`: SHA-256 (hex) over the canonical JSON of each record and a newline, in their order. */
export type PackSummary = { records: number; digest: string; controls: ControlSummary[] };

/** Counts and draws over records as they pass, so that none has to be kept but those that were drawn. */
export class Summariser {
  readonly #seed: string;
  readonly #controls: Map<ControlId, { tally: PackTally; sample: Sample<PackRecord> }>;
  readonly #hash = createHash('sha256');
  #records = 0;

  constructor({ question, controls }: PackScope) {
    this.#seed = question.seed;
    this.#controls = new Map(controls.map(({ id }) => [id, { tally: emptyTally(), sample: new Sample<PackRecord>(PACK_SAMPLE) }]));
  }

  /** Returns the record's canonical JSON. */
  add(record: PackRecord): string {
    const text = canonicalJson(record);
    this.#hash.update(`${text}\n`);
    this.#records += 1;
    const key = sampleKey(this.#seed, record.id);
    for (const id of record.controls) {
      const control = this.#controls.get(id);
      if (control === undefined) continue;
      count(control.tally, record);
      control.sample.offer(key, record);
    }
    return text;
  }

  /** Once only: the digest is closed by it. */
  end(): PackSummary {
    const controls = [...this.#controls].map(([id, { tally, sample }]) => ({ id, tally, sample: sample.items() }));
    return { records: this.#records, digest: this.#hash.digest('hex'), controls };
  }
}

/** The counts and samples of a pack, without its records. */
export async function summarisePack(read: Read, scope: PackScope): Promise<PackSummary> {
  const summary = new Summariser(scope);
  for await (const batch of readRecords(read, scope)) for (const record of batch) summary.add(record);
  return summary.end();
}
