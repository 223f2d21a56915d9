import type { N8nGraph } from '#app/domain/workflows/import/n8n-graph.ts';

/** The number of steps along ways that one conversion may still look at: a file of 1 MB could ask for days of it. At 0, ways never meet. */
export type Effort = { left: number };

/**
 * The first node that every way from these nodes has to pass, so that it may stand once behind them all; `stop` where they all end there.
 * Null where a way may end before the others meet: what follows belongs to each way alone.
 */
export function meetingOf(graph: N8nGraph, targets: readonly string[], stop: string | null, effort: Effort): string | null {
  if (new Set(targets).size === 1) return targets[0] ?? null;
  const candidates = orderFrom(graph, targets[0] ?? '', stop);
  return candidates.find((node) => targets.every((target) => alwaysPasses(graph, target, node, stop, effort))) ?? null;
}

/** Nodes by their distance. */
function orderFrom(graph: N8nGraph, from: string, stop: string | null): string[] {
  const order = new Set([from]);
  for (const name of order) {
    if (name === stop) continue;
    for (const next of graph.outputs(name).flat()) order.add(next);
  }
  return [...order];
}

/** Whether ways from `from` lead to `node`, and none of them ends before. */
function alwaysPasses(graph: N8nGraph, from: string, node: string, stop: string | null, effort: Effort): boolean {
  const seen = new Set<string>();
  const open = [from];
  let passes = false;
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    passes ||= name === node;
    if (name === node || seen.has(name)) continue;
    seen.add(name);
    const outputs = graph.outputs(name);
    effort.left -= 1 + outputs.flat().length;
    if (effort.left < 0) return false;
    const parts = /(?:\.if|\.switch|\.filter)$/.test(graph.nodes.get(name)?.type ?? '');
    if (name === stop || outputs.flat().length === 0 || (parts && (outputs.length < 2 || outputs.some((to) => to.length === 0))))
      return false;
    open.push(...outputs.flat());
  }
  return passes;
}
