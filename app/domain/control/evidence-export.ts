import type { AskedExport, EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';

/** Entries of the log in one file: some 8 MB of JSON. The same in `quorate.files_of_export`. */
export const LOG_FILE_ENTRIES = 5000;
/** Rows of other people’s acts that leave in one table without anybody’s agreement: a page of the list, which stands on the screen as well. */
export const FREE_ROWS = 50;

/** The signed pack, its records as a table, OSCAL assessment results and the impact assessments by themselves. */
export const PACK_FILES = ['pack.json', 'records.csv', 'oscal.json', 'assessments.csv'] as const;

/** The name of a file of a pack without its ending. */
export const partOfPack = (file: (typeof PACK_FILES)[number]) => file.replace(/\.\w+$/, '');

/** The files of an export, each of which leaves once, by their names without an ending. Of the log, the place of the first entry of each. */
export function filesOfExport(exported: EvidenceExport | AskedExport): string[] {
  if (exported.kind === 'pack') return PACK_FILES.map(partOfPack);
  if (exported.kind === 'table') return ['table'];
  const count = Math.floor((exported.until - exported.from) / LOG_FILE_ENTRIES) + 1;
  return Array.from({ length: count }, (_, file) => String(exported.from + file * LOG_FILE_ENTRIES));
}

/** Whether it holds entries of the log itself, which auditors and admins alone read. */
export const isOfTheLog = (exported: EvidenceExport | AskedExport) => exported.kind !== 'table' || exported.list === 'audit';
