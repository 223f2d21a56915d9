import { describe, expect, it } from 'vitest';
import { type ModuleGraph, type Page, planParts } from '#app/platform/page-parts.ts';

/** Each module by what it imports; all are of this many bytes. */
function graphOf(imports: Record<string, string[]>, bytes = 1_000): ModuleGraph {
  return {
    getModuleInfo: (id) => (imports[id] === undefined ? null : { code: 'x'.repeat(bytes), importedIds: imports[id] }),
  };
}

const page = (id: string, needs: string[], isPublic = false): Page => ({ id, isPublic, needs: new Set(needs) });

describe('planParts', () => {
  it('joins small modules that mostly go together, until a page loads few files', () => {
    const shared = Array.from({ length: 12 }, (_, index) => `m${index}`);
    const graph = graphOf(Object.fromEntries(shared.map((id) => [id, []])));
    const pages = shared.map((left) =>
      page(
        `without-${left}`,
        shared.filter((id) => id !== left),
      ),
    );
    const parts = planParts(pages, graph);
    expect(parts.flat().sort()).toEqual(shared.toSorted());
    expect(parts.length).toBeLessThanOrEqual(4);
  });

  it('keeps a large module from pages that do not need it, also where a small one imports it', () => {
    const small = Array.from({ length: 8 }, (_, index) => `s${index}`);
    const graph: ModuleGraph = {
      getModuleInfo: (id) => ({
        code: 'x'.repeat(id === 'large' ? 500_000 : 100),
        importedIds: id === 'reader' ? ['between'] : id === 'between' ? ['large'] : [],
      }),
    };
    const pages = [
      page('one', [...small, 'reader', 'large']),
      page('two', [...small, 'reader', 'large']),
      ...small.map((left) =>
        page(
          left,
          small.filter((id) => id !== left),
        ),
      ),
    ];
    const parts = planParts(pages, graph);
    for (const part of parts.filter((ids) => ids.includes('reader') || ids.includes('large')))
      expect(part.filter((id) => small.includes(id))).toEqual([]);
  });

  it('joins what few pages need where one of the app would load more than five files, and leaves public pages alone', () => {
    const modules = Array.from({ length: 8 }, (_, index) => `m${index}`);
    const graph = graphOf(Object.fromEntries(modules.map((id) => [id, []])), 45_000);
    const filesOf = (parts: string[][], needs: string[]) => parts.filter((ids) => ids.some((id) => needs.includes(id))).length;
    const all = page('all', modules);
    const single = modules.map((id) => page(`only-${id}`, [id]));
    const outside = page('outside', ['m0'], true);
    const parts = planParts([all, ...single, outside], graph);
    expect(filesOf(parts, modules)).toBeLessThanOrEqual(5);
    expect(parts.find((ids) => ids.includes('m0'))).toEqual(['m0']);
  });

  it('puts what is imported before what imports it, and leaves out what only one page or public pages need', () => {
    const graph = graphOf({ top: ['bottom'], bottom: [], alone: [], outside: [] }, 400_000);
    const parts = planParts(
      [
        page('one', ['top', 'bottom', 'alone']),
        page('two', ['top', 'bottom']),
        page('three', ['bottom']),
        page('p', ['outside'], true),
        page('q', ['outside'], true),
      ],
      graph,
    );
    expect(parts).toEqual([['bottom'], ['top']]);
  });
});
