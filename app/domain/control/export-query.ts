import type { EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';

/** The query of the page where an export is asked for. */
export function exportQuery(exported: EvidenceExport): string {
  return new URLSearchParams(Object.entries(exported).map(([name, value]) => [name, String(value)])).toString();
}
