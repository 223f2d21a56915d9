import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { literalAs, propertySchema } from '#app/domain/workflows/mappings/mapping.ts';
import type { CallStep } from '#app/domain/workflows/steps/step.ts';
import { evaluate } from '#app/engine/runs/expressions/evaluate.ts';
import type { RunExecution } from '#app/engine/runs/run-execution.ts';
import { callOptions } from '#app/engine/runs/steps/call-kinds.ts';

/** The input of a call: what `mapValues` makes of its mapping, and what its kind adds. */
export async function mapInput(
  execution: RunExecution,
  step: CallStep,
  schema: Json | null,
  leftOut: string[] = [],
): Promise<{ [key: string]: Json }> {
  return { ...(await mapValues(execution, step.input, schema, leftOut)), ...callOptions(step) };
}

/** The values of a mapping, typed by the schema of what takes them. Throws an ExpressionError. `leftOut` gets the names whose expression found nothing. */
export async function mapValues(
  execution: RunExecution,
  mapping: Readonly<Record<string, string>>,
  schema: Json | null,
  leftOut: string[] = [],
): Promise<{ [key: string]: Json }> {
  const input: { [key: string]: Json } = {};
  for (const [name, value] of Object.entries(mapping)) {
    // an empty field of the form says nothing: what the schema requires is then missing, as the editor has told
    if (value.trim() === '') continue;
    if (!isExpression(value)) {
      input[name] = literalAs(value, propertySchema(schema, name));
      continue;
    }
    const found = await evaluate(stripMark(value), execution.scope);
    // nothing found: the input is left out, so that the schema decides whether it was required
    if (found === null) leftOut.push(name);
    else input[name] = found;
  }
  return input;
}

/** The values that a person is shown, by their labels; a literal is a text. Throws an ExpressionError. */
export async function shownValues(execution: RunExecution, show: Readonly<Record<string, string>>): Promise<{ [label: string]: Json }> {
  const shown: { [label: string]: Json } = {};
  for (const [label, value] of Object.entries(show))
    shown[label] = isExpression(value) ? await evaluate(stripMark(value), execution.scope) : value;
  return shown;
}

/** Input that cannot be looked through or hashed does not leave: too long for the detector, or no text at all. */
export function inputFault(error: unknown): Explanation | null {
  if (error instanceof RangeError) return { key: 'inputTooLarge', values: {} };
  if (error instanceof TypeError) return { key: 'inputNotText', values: {} };
  return null;
}
