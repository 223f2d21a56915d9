import type jsonata from 'jsonata';

/** Kinds of nodes that cost no more than one walk through their input. */
const LINEAR_NODES = new Set([
  'binary',
  'unary',
  'path',
  'name',
  'string',
  'number',
  'value',
  'variable',
  'function',
  'condition',
  'filter',
  'block',
  'index',
]);
const LINEAR_FUNCTIONS = new Set(
  [
    'count',
    'sum',
    'min',
    'max',
    'average',
    'exists',
    'boolean',
    'not',
    'number',
    'string',
    'length',
    'lowercase',
    'uppercase',
    'trim',
    'substring',
    'contains',
    'keys',
    'lookup',
    'append',
    'join',
    'merge',
  ].concat(['floor', 'ceil', 'round', 'abs', 'type', 'now', 'millis', 'substringBefore', 'substringAfter', 'fromMillis', 'toMillis']),
);

/**
 * True when an expression may be evaluated beside everything else this process does. Regular expressions, functions of its
 * own, ranges, sorting and the like may hold a thread for minutes between two looks at the clock.
 */
export function isLinear(ast: jsonata.ExprNode): boolean {
  return everyNode(ast, (node) => {
    if (!LINEAR_NODES.has(node.type)) return false;
    if (node.type === 'binary') return node.value !== '..';
    if (node.type === 'variable') return node.value === '' || node.value === '$' || LINEAR_FUNCTIONS.has(String(node.value));
    return node.type !== 'function' || LINEAR_FUNCTIONS.has(procedureOf(node));
  });
}

type Node = { type: string; value?: unknown; procedure?: unknown };

function procedureOf(node: Node): string {
  const { procedure } = node;
  return typeof procedure === 'object' && procedure !== null && 'type' in procedure && procedure.type === 'variable' && 'value' in procedure
    ? String(procedure.value)
    : '';
}

function everyNode(value: unknown, holds: (node: Node) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if ('type' in value && typeof value.type === 'string' && !holds(value as Node)) return false;
  return Object.values(value).every((member) => everyNode(member, holds));
}
