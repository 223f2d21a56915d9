import { type ExpressionScope, translateExpression } from '#app/domain/workflows/import/n8n-expressions.ts';

type Rule = { left: unknown; right: unknown; type: string; operation: string };

/** How n8n's comparisons are written in JSONata. */
const COMPARISONS: { [operation: string]: (left: string, right: string) => string } = {
  equals: (left, right) => `${left} = ${right}`,
  equal: (left, right) => `${left} = ${right}`,
  notEquals: (left, right) => `${left} != ${right}`,
  notEqual: (left, right) => `${left} != ${right}`,
  contains: (left, right) => `$contains(${left}, ${right})`,
  notContains: (left, right) => `$not($contains(${left}, ${right}))`,
  startsWith: (left, right) => `$substring(${left}, 0, $length(${right})) = ${right}`,
  larger: (left, right) => `${left} > ${right}`,
  gt: (left, right) => `${left} > ${right}`,
  smaller: (left, right) => `${left} < ${right}`,
  lt: (left, right) => `${left} < ${right}`,
  largerEqual: (left, right) => `${left} >= ${right}`,
  gte: (left, right) => `${left} >= ${right}`,
  smallerEqual: (left, right) => `${left} <= ${right}`,
  lte: (left, right) => `${left} <= ${right}`,
};
const TESTS: { [operation: string]: (left: string) => string } = {
  true: (left) => `${left} = true`,
  false: (left) => `${left} = false`,
  exists: (left) => `$exists(${left})`,
  notExists: (left) => `$not($exists(${left}))`,
  isEmpty: (left) => `$not($boolean(${left}))`,
  empty: (left) => `$not($boolean(${left}))`,
  isNotEmpty: (left) => `$boolean(${left})`,
  notEmpty: (left) => `$boolean(${left})`,
};

/** The condition of an If, a Filter or a rule of a Switch as an expression of ours; null where one part has no counterpart. */
export function translateCondition(parameters: { [name: string]: unknown }, scope: ExpressionScope): string | null {
  const { rules, any } = readRules(parameters);
  if (rules.length === 0) return null;
  const parts = rules.map((rule) => translateRule(rule, scope));
  if (parts.includes(null)) return null;
  return parts.length === 1 ? parts.join('') : parts.map((part) => `(${part})`).join(any ? ' or ' : ' and ');
}

function readRules(parameters: { [name: string]: unknown }): { rules: Rule[]; any: boolean } {
  const conditions = recordOf(parameters.conditions);
  // ours tell capital letters from small ones
  if (recordOf(conditions.options).caseSensitive === false || recordOf(parameters.options).ignoreCase === true)
    return { rules: [], any: false };
  if (Array.isArray(conditions.conditions)) {
    const rules = conditions.conditions.map((condition) => {
      const { leftValue, rightValue, operator } = recordOf(condition);
      const { type, operation } = recordOf(operator);
      return { left: leftValue, right: rightValue, type: String(type ?? 'string'), operation: String(operation ?? '') };
    });
    return { rules, any: conditions.combinator === 'or' };
  }
  // before version 2: lists by type, whose operation is left out where it is the first of its type
  const rules = ['string', 'number', 'boolean'].flatMap((type) =>
    listOf(conditions[type]).map((condition) => {
      const { value1, value2, operation } = recordOf(condition);
      return { left: value1, right: value2, type, operation: String(operation ?? (type === 'number' ? 'smaller' : 'equal')) };
    }),
  );
  return { rules, any: parameters.combineOperation === 'any' };
}

/** By type where the two languages differ: a 0 is empty to JSONata alone, and its `$contains` looks into texts. */
function translateRule({ left, right, type, operation }: Rule, scope: ExpressionScope): string | null {
  if (/empty|contains/i.test(operation) && type !== 'string') return null;
  const first = translateValue(left, scope);
  if (first === null) return null;
  const test = TESTS[operation];
  if (test !== undefined) return test(first);
  const second = translateValue(right, scope);
  const comparison = COMPARISONS[operation];
  return second === null || comparison === undefined ? null : comparison(first, second);
}

/** A value of a parameter as an expression of ours. */
export function translateValue(value: unknown, scope: ExpressionScope): string | null {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (typeof value !== 'string') return null;
  return value.startsWith('=') ? translateExpression(value, scope) : JSON.stringify(value);
}

export const recordOf = (value: unknown): { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { [name: string]: unknown }) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
