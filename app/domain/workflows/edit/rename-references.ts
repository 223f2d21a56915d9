import { isExpression, renameSteps, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { checkStep, mappingsOf, type Step } from '#app/domain/workflows/steps/step.ts';

/** A step whose own expressions name other steps instead, as `names` says by their ids. The steps that it holds stay as they are. */
export function renameReferences(step: Step, names: ReadonlyMap<string, string>): Step {
  const expressions = expressionsOf(step);
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string')
      return expressions.has(stripMark(value))
        ? value.slice(0, value.length - stripMark(value).length) + renameSteps(stripMark(value), names)
        : value;
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'steps' ? inner : renamed(inner)]));
  };
  return renamed(step) as Step;
}

/** The texts of a step that its kind's check reads as expressions, without their marks. */
function expressionsOf(step: Step): Set<string> {
  const found = new Set(Object.values(mappingsOf(step)).filter(isExpression).map(stripMark));
  const expression = (_field: string, text: string) => found.add(text);
  checkStep(step, {
    catalogue: { connections: [], capabilities: [] },
    report: () => {},
    expression,
    expressionAfter: expression,
    isLast: true,
  });
  return found;
}
