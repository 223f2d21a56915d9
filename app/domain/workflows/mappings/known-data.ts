import type { Json } from '#app/contracts/json.ts';
import type { CatalogueEntry } from '#app/domain/workflows/catalogue.ts';
import { namesOf } from '#app/domain/workflows/fields/field-rules.ts';
import { expressionKey } from '#app/domain/workflows/mappings/expression-text.ts';
import { areSiblingsInBranches, isInOtherLoop } from '#app/domain/workflows/step-references.ts';
import { outputNamesOf, STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';
import { type WorkflowDocument, walkSteps } from '#app/domain/workflows/workflow.ts';

/** Something that an expression may name at a place of a workflow. `at`: its way into the data, as keys. `title`: empty where it has none. */
export type KnownValue = { expression: string; at: readonly string[]; title: string };
/** `input`: the workflow's own; `around`: of the steps around the place; `step`: the output of an earlier one, with its name. */
export type KnownGroup = { from: 'input' | 'around' | 'run'; values: KnownValue[] } | { from: 'step'; name: string; values: KnownValue[] };

type Target = CatalogueEntry & { outputSchema: Json | null };

/** All that expressions of the step at `path` may name, the nearest step first. */
export function knownAt(document: WorkflowDocument, path: string, targets: readonly Target[]): KnownGroup[] {
  const steps = [...walkSteps(document.steps)];
  const own = steps.findIndex((one) => one.path === path);
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
    { from: 'input', values: document.input.flatMap(namesOf).map(({ at, title }) => valueAt(['input', ...at], title)) },
    ...earlier.toReversed().map(
      ({ step }): KnownGroup => ({
        from: 'step',
        name: step.name,
        values: [valueAt(['steps', step.id]), ...membersOf(step, targets).map(([name, title]) => valueAt(['steps', step.id, name], title))],
      }),
    ),
    { from: 'run', values: ['id', 'mode', 'startedAt'].map((name) => valueAt(['run', name])) },
  ];
  return groups.filter(({ values }) => values.length > 0);
}

const valueAt = (at: readonly string[], title = ''): KnownValue => ({ expression: at.map(expressionKey).join('.'), at, title });

/** At most as many as one looks through. */
const MOST_MEMBERS = 20;

function membersOf(step: Step, targets: readonly Target[]): (readonly [name: string, title: string])[] {
  const fixed = outputNamesOf(step);
  if (fixed.length > 0 || !('capability' in step)) return fixed.map((name) => [name, '']);
  const target = targets.find(({ connection, capability }) => connection === step.connection && capability === step.capability);
  const properties = memberOf(target?.outputSchema ?? null, 'properties');
  return Object.entries(isObject(properties) ? properties : {})
    .slice(0, MOST_MEMBERS)
    .map(([name, about]) => {
      const title = memberOf(about, 'title');
      return [name, typeof title === 'string' ? title : ''];
    });
}

/** The value at a way into the data; undefined: there is none. */
export function memberAt(data: Json, at: readonly string[]): Json | undefined {
  return at.reduce<Json | undefined>((value, key) => memberOf(value, key), data);
}

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
