import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';

/** How rules name a tool: a connection's slug holds no slash. */
export const toolAction = (connection: string, tool: string): string => `${connection}/${tool}`;

/** The tools that a rule names, as `connection/tool`, and whether it names anything else besides. */
export function namedTools({ action }: PolicyJson): { tools: string[]; others: boolean } {
  const entities = action.op === 'All' ? [] : 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : [];
  const names = entities.map((entity) => ('type' in entity ? entity : entity.__entity));
  const tools = names.filter(({ type, id }) => type === 'Action' && id.includes('/')).map(({ id }) => id);
  return { tools: [...new Set(tools)], others: action.op === 'All' || tools.length < names.length };
}

/** The fields of the input that a rule asks for. Of `a.b` both that and what `has` tests on the way; an empty path is the whole input. */
export function inputPaths({ conditions }: PolicyJson): string[][] {
  const found = new Map<string, string[]>();
  const add = (path: string[]) => found.set(JSON.stringify(path), path);
  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    if ('has' in node && isRecord(node.has)) {
      const above = chainOf(node.has.left);
      const names = Array.isArray(node.has.attr) ? node.has.attr.map(String) : [String(node.has.attr)];
      if (above === null) visit(node.has.left);
      else if (above.length > 0 || names[0] === 'input') add([...above, ...names].slice(1));
      return;
    }
    const chain = chainOf(node);
    // a context that is not asked for one of its attributes may hide the input
    if (chain !== null) {
      add(chain.slice(1));
      return;
    }
    if (isRecord(node) && isRecord(node['.']) && chainOf(node['.'].left)?.length === 0) return;
    Object.values(node).forEach(visit);
  }
  for (const { body } of conditions) visit(body);
  return [...found.values()];
}

/** The names behind `context` of a chain that begins with `context.input`; of `context` itself an empty list; null: another chain. */
function chainOf(node: unknown): string[] | null {
  if (!isRecord(node)) return null;
  if (node.Var === 'context') return [];
  if (!isRecord(node['.'])) return null;
  const { left, attr } = node['.'];
  const above = chainOf(left);
  if (above === null || (above.length === 0 && attr !== 'input')) return null;
  return [...above, String(attr)];
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
