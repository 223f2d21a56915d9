import type { Step } from '#app/domain/workflows/steps/step.ts';

/**
 * A file of n8n with nothing but its structure. `nodes`: types, `lc.` for those of LangChain, `!` for one with a way of its own for errors.
 * `ways`: `0>1` leads from the first output of one node to another, `0.1>2` from its second, `3:1` attaches one to another.
 */
export function n8nFile(nodes: string, ways: string) {
  const types = nodes.split(' ');
  const nameOf = (index: string | number) => `${types[Number(index)]?.replace('!', '')} ${index}`;
  const connections: { [from: string]: { [kind: string]: { node: string }[][] } } = {};
  for (const way of ways.split(' ').filter((one) => one !== '')) {
    const [, from = '', output = '0', sign, to = ''] = /^(\d+)(?:\.(\d+))?([>:])(\d+)$/.exec(way) ?? [];
    const kind = sign === '>' ? 'main' : 'ai_tool';
    const byKind = connections[nameOf(from)] ?? {};
    const outputs = byKind[kind] ?? [];
    connections[nameOf(from)] = { ...byKind, [kind]: outputs };
    while (outputs.length <= Number(output)) outputs.push([]);
    outputs[Number(output)]?.push({ node: nameOf(to) });
  }
  return {
    name: 'Structure',
    nodes: types.map((type, index) => ({
      name: nameOf(index),
      type: `${type.startsWith('lc.') ? '@n8n/n8n-nodes-langchain' : 'n8n-nodes-base'}.${type.replace(/^lc\.|!$/g, '')}`,
      parameters: {},
      ...(type.endsWith('!') ? { onError: 'continueErrorOutput' } : {}),
    })),
    connections,
  };
}

/** The steps of a document in one line: `model choose(yes: tool | otherwise: )`. */
export const outlineOf = (steps: readonly Step[]): string =>
  steps
    .map((step) => {
      if (!('branches' in step)) return step.kind;
      const word = step.kind === 'branch' ? step.mode : step.kind;
      return `${word}(${step.branches.map(({ label, steps: inner }) => `${label}: ${outlineOf(inner)}`).join(' | ')})`;
    })
    .join(' ');
