import { href } from 'react-router';
import { filesOfExport, PACK_FILES, partOfPack } from '#app/domain/control/evidence-export.ts';
import type { EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';

/** Files of an export that one page lists; of a long log the next ones follow as these are taken. */
const MOST_LISTED = 40;

/** The address of each file, by its name in the export; those that were taken last. */
export function exportFiles(exported: EvidenceExport, taken: readonly string[]) {
  const files = filesOfExport(exported);
  const open = files.filter((file) => !taken.includes(file));
  return {
    count: files.length,
    open: open.slice(0, MOST_LISTED).map((part) => ({ name: fileOf(part), address: addressOf(exported, part) })),
    taken: taken.slice(-MOST_LISTED).map(fileOf),
  };
}

/** Of the log, the place of its first entry. */
const fileOf = (part: string) => PACK_FILES.find((file) => partOfPack(file) === part) ?? (part === 'table' ? 'table.csv' : part);

function addressOf(exported: EvidenceExport, part: string): string {
  switch (exported.kind) {
    case 'pack': {
      const { kind: _, ...question } = exported;
      return `${href('/dashboard/audit/packs/:file', { file: fileOf(part) })}?${new URLSearchParams(question)}`;
    }
    case 'log': {
      const { from, until } = exported;
      return `${href('/dashboard/audit/evidence/log')}?${new URLSearchParams({ from: part, first: String(from), until: String(until) })}`;
    }
    case 'table':
      return `${href('/dashboard/tables/:list', { list: exported.list })}?${exported.filter}`;
  }
}
