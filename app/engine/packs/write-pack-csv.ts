import type { PackRecord } from '#app/domain/audit/pack-records.ts';
import { type CsvValue, writeCsv, writeCsvRows } from '#app/engine/documents/write-csv.ts';
import type { Read } from '#app/engine/packs/batch.ts';
import { sampleKey } from '#app/engine/packs/draw-sample.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import { readRecords } from '#app/engine/packs/read-records.ts';

const YES_NO = new Map<boolean | null, string>([
  [true, 'yes'],
  [false, 'no'],
]);

/** Names of columns are for machines and the same in every language. The sample of a control are its records with the lowest `sample_key`. */
const COLUMNS: readonly (readonly [string, (record: PackRecord, seed: string) => CsvValue])[] = [
  ['record', (record) => record.kind],
  ['id', (record) => record.id],
  ['at', (record) => record.at],
  ['what', (record) => record.what],
  ['shows', (record) => record.shows],
  ['by', (record) => record.by],
  ['about_kind', (record) => record.about.kind],
  ['about_id', (record) => record.about.id],
  ['about', (record) => record.about.name],
  ['run', (record) => record.run],
  ['leaf_index', (record) => record.place],
  ['before_act', (record) => YES_NO.get(record.before) ?? ''],
  ['exceptions', (record) => record.exceptions.join(' ')],
  ['break_glass', (record) => (record.breakGlass ? 'yes' : '')],
  ['controls', (record) => record.controls.join(' ')],
  ['sample_key', (record, seed) => sampleKey(seed, record.id)],
];

/** The population of a pack as CSV, batch by batch: however long it is, one batch is in memory. */
export async function* writePackCsv(read: Read, scope: PackScope): AsyncGenerator<string> {
  yield writeCsv(
    COLUMNS.map(([name]) => name),
    [],
  );
  for await (const batch of readRecords(read, scope))
    yield writeCsvRows(batch.map((record) => COLUMNS.map(([, value]) => value(record, scope.question.seed))));
}
