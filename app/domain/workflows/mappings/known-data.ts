import type { Json } from '#app/contracts/json.ts';
import type { CatalogueEntry } from '#app/domain/workflows/catalogue.ts';
import { namesOf } from '#app/domain/workflows/fields/field-rules.ts';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { expressionKey } from '#app/domain/workflows/mappings/expression-text.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { areSiblingsInBranches, isInOtherLoop } from '#app/domain/workflows/step-references.ts';
import { withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { outputNamesOf, STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/**
 * Something that an expression may name at a place of a workflow. `at`: its way into the data, as keys. `title`: empty where it has none. `type`: null where
 * neither a field nor a schema says it.
 */
export type KnownValue = { expression: string; at: readonly string[]; title: string; type: FieldType | null };
/** `input`: the workflow's own; `around`: of the steps around the place; `step`: the output of an earlier one, with its name. */
export type KnownGroup = { from: 'input' | 'around' | 'run'; values: KnownValue[] } | { from: 'step'; name: string; values: KnownValue[] };

type Target = CatalogueEntry & { outputSchema: Json | null };

/** All that expressions of the step at `path` may name, the nearest step first; with no path those of the workflow's own output. */
export function knownAt(document: WorkflowDocument, path: string, targets: readonly Target[]): KnownGroup[] {
  const steps = [...walkSteps(path === '' ? withoutCleanup(document.steps) : document.steps)];
  const own = path === '' ? steps.length : steps.findIndex((one) => one.path === path);
  const loops = steps.filter(({ step }) => STEP_RULES[step.kind].repeats).map((one) => one.path);
  const earlier = steps
    .slice(0, Math.max(0, own))
    // A step around the place has no output yet.
    .filter((one) => !path.startsWith(`${one.path}/`) && !areSiblingsInBranches(one.path, path) && !isInOtherLoop(one.path, path, loops));
  const around = steps.flatMap((one) =>
    path.startsWith(`${one.path}/`) ? STEP_RULES[one.step.kind].innerNames(path.slice(one.path.length + 1).split('/')[0] ?? '') : [],
  );
  const groups: KnownGroup[] = [
    { from: 'around', values: [...new Set(around)].map((name) => valueAt([name])) },
    { from: 'input', values: document.input.flatMap(namesOf).map(({ at, title, type }) => valueAt(['input', ...at], title, type)) },
    ...earlier.toReversed().map(
      ({ step }): KnownGroup => ({
        from: 'step',
        name: step.name,
        values: [
          valueAt(['steps', step.id]),
          ...membersOf(step, targets).map(({ name, ...about }) => valueAt(['steps', step.id, name], about.title, about.type)),
        ],
      }),
    ),
    { from: 'run', values: ['id', 'mode', 'startedAt'].map((name) => valueAt(['run', name])) },
  ];
  return groups.filter(({ values }) => values.length > 0);
}

const valueAt = (at: readonly string[], title = '', type: FieldType | null = null): KnownValue => ({
  expression: at.map(expressionKey).join('.'),
  at,
  title,
  type,
});

/** At most as many as one looks through. */
const MOST_MEMBERS = 20;

function membersOf(step: Step, targets: readonly Target[]): { name: string; title: string; type: FieldType | null }[] {
  const fixed = outputNamesOf(step);
  if (fixed.length > 0 || !('capability' in step)) return fixed.map((name) => ({ name, title: '', type: null }));
  const target = targets.find(({ connection, capability }) => connection === step.connection && capability === step.capability);
  const properties = memberOf(target?.outputSchema ?? null, 'properties');
  return Object.entries(isObject(properties) ? properties : {})
    .slice(0, MOST_MEMBERS)
    .map(([name, about]) => {
      const title = memberOf(about, 'title');
      const type = memberOf(about, 'type');
      return { name, title: typeof title === 'string' ? title : '', type: (typeof type === 'string' ? JSON_TYPES[type] : null) ?? null };
    });
}

/** The types of JSON Schema in the words of the fields of a form. */
const JSON_TYPES: Partial<Record<string, FieldType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'group',
};

const typeOf = (value: Json): FieldType | null => JSON_TYPES[Array.isArray(value) ? 'array' : typeof value] ?? null;

const SEEN_LEVELS = 3;

/**
 * A known value as it was in some data: its type where nothing else says it, and after it what it held, some levels deep. Of a list what its first entry
 * held: JSONata reads the same name of all of them.
 */
export function withSeen(value: KnownValue, seen: Json, level = 1): KnownValue[] {
  const own = { ...value, type: value.type ?? (seen === null ? null : typeOf(seen)) };
  const held = Array.isArray(seen) ? seen[0] : seen;
  if (!isObject(held) || level > SEEN_LEVELS) return [own];
  const inside = Object.entries(held).slice(0, MOST_MEMBERS);
  return [own, ...inside.flatMap(([name, part]) => withSeen(valueAt([...value.at, name]), part, level + 1))];
}

/** The value at a way into the data, in a list that of its first entry; undefined: there is none. */
export function memberAt(data: Json, at: readonly string[]): Json | undefined {
  return at.reduce<Json | undefined>((value, key) => memberOf(Array.isArray(value) ? value[0] : value, key), data);
}

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
