import unhomoglyph from 'unhomoglyph';
import { visibleText } from '#app/domain/connections/hidden-text.ts';

export type NamedTool = { id: string; name: string; connection: string };

/** How a name looks (UTS #39, section 4), as it is written and in small letters: names that share one are taken for each other. */
function skeletonsOf(name: string): Set<string> {
  const visible = visibleText(name).normalize('NFKC');
  return new Set([unhomoglyph(visible), unhomoglyph(visible.toLowerCase())]);
}

/** Finds tools that a reader could mistake for one another: their names differ only to a machine. */
export function lookAlikes(tools: readonly NamedTool[]): (tool: Pick<NamedTool, 'id' | 'name'>) => NamedTool[] {
  const bySkeleton = new Map<string, NamedTool[]>();
  for (const tool of tools)
    for (const skeleton of skeletonsOf(tool.name)) bySkeleton.set(skeleton, [...(bySkeleton.get(skeleton) ?? []), tool]);
  return (tool) => {
    const alike = [...skeletonsOf(tool.name)].flatMap((skeleton) => bySkeleton.get(skeleton) ?? []);
    return [...new Set(alike)].filter((other) => other.id !== tool.id && other.name !== tool.name);
  };
}
