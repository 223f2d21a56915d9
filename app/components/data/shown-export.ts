import type { ShownExport } from '#app/components/data/export-facts.tsx';
import type { AskedExport, EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';

/** An export as it is shown. `framework`: the name of the law of a pack. */
export function shownExport(exported: EvidenceExport | AskedExport, framework: string | null): ShownExport {
  switch (exported.kind) {
    case 'pack': {
      const { from, until, seed } = exported;
      return { kind: 'pack', framework: framework ?? exported.framework, from, until, seed };
    }
    case 'log':
      return { kind: 'log', from: exported.from, until: exported.until };
    case 'table':
      return { kind: 'table', list: exported.list, filter: exported.filter };
  }
}
