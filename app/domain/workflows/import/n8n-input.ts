import { fieldRules } from '#app/domain/workflows/fields/field-rules.ts';
import { FIELD_TYPES } from '#app/domain/workflows/fields/field-types.ts';
import { fieldNameOf } from '#app/domain/workflows/import/field-name.ts';
import { listOf, recordOf } from '#app/domain/workflows/import/n8n-conditions.ts';
import type { N8nGraph } from '#app/domain/workflows/import/n8n-graph.ts';
import { kindOfNode } from '#app/domain/workflows/import/n8n-steps.ts';
import { namesAfter } from '#app/domain/workflows/mappings/expression-text.ts';
import { type InputField, inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';

const FORM_TYPES = new Map(FIELD_TYPES.flatMap((type) => fieldRules(type).n8n.map((name) => [name, type] as const)));
const MOST_FIELDS = 50;

/** The fields of the run's input: those of a form that starts it, and those that steps name. */
export function guessInput(graph: N8nGraph, steps: readonly Step[]): { input: InputField[]; isGuessed: boolean } {
  const fields = new Map<string, InputField>();
  for (const node of graph.nodes.values()) {
    if (kindOfNode(node) !== 'formTrigger') continue;
    for (const value of listOf(recordOf(node.parameters.formFields).values)) {
      const field = formField(recordOf(value));
      if (field !== null) fields.set(field.name, field);
    }
  }
  const named = [...new Set(expressionsIn(steps).flatMap((text) => [...namesAfter('input', text)]))].filter(
    (name) => name !== '' && !fields.has(name),
  );
  for (const name of named) {
    const field = inputFieldSchema.safeParse({ name, title: titleOf(name), type: 'text', required: false });
    if (field.success) fields.set(name, field.data);
  }
  return { input: [...fields.values()].slice(0, MOST_FIELDS), isGuessed: named.length > 0 };
}

function formField({ fieldLabel, fieldType, requiredField, fieldOptions }: { [name: string]: unknown }): InputField | null {
  const title = String(fieldLabel ?? '').trim();
  const options = listOf(recordOf(fieldOptions).values).map((option) => String(recordOf(option).option ?? ''));
  const field = inputFieldSchema.safeParse({
    name: fieldNameOf(title),
    title,
    type: FORM_TYPES.get(String(fieldType)) ?? 'text',
    required: requiredField === true,
    options,
  });
  return field.success ? field.data : null;
}

/** Every expression of the steps: values with a mark, and what a transform computes. */
function expressionsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return value.startsWith('=') || key === 'expression' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => expressionsIn(inner, name));
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
