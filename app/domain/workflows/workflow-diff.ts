import type { AgentDocument } from '#app/domain/workflows/agent.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/** One place in which two documents differ. `fields` are those of the document's own format, as JSON or plain text. */
export type WorkflowChange = {
  place: 'settings' | 'input' | 'step';
  /** Path of the step, short name of the field, or empty for the settings. */
  path: string;
  name: string;
  change: 'added' | 'removed' | 'changed' | 'moved';
  fields: { field: string; before: string; after: string }[];
};

/** The changes from one document to another, in the order of the later outline; removed steps come last. */
export function diffWorkflows(before: WorkflowDocument, after: WorkflowDocument): WorkflowChange[] {
  const settings = differences(
    { subject: before.subject ?? '', output: before.output, manualMinutes: before.manualMinutes, samples: before.samples ?? [] },
    { subject: after.subject ?? '', output: after.output, manualMinutes: after.manualMinutes, samples: after.samples ?? [] },
  );
  return [
    ...(settings.length === 0 ? [] : [{ place: 'settings' as const, path: '', name: '', change: 'changed' as const, fields: settings }]),
    ...diffPlaces('input', fieldsOf(before.input), fieldsOf(after.input)),
    ...diffPlaces('step', stepsOf(before.steps), stepsOf(after.steps)),
  ];
}

/** The changes from one document of an agent to another, all in one place. */
export function diffAgents({ format: _, ...before }: AgentDocument, { format: __, ...after }: AgentDocument): WorkflowChange[] {
  const fields = differences(before, after);
  return fields.length === 0 ? [] : [{ place: 'settings', path: '', name: '', change: 'changed', fields }];
}

type Place = { name: string; values: { [field: string]: unknown } };

function fieldsOf(fields: readonly InputField[]): Map<string, Place> {
  return new Map(fields.map(({ name, ...values }) => [name, { name: values.title, values }]));
}

function stepsOf(steps: readonly Step[]): Map<string, Place> {
  return new Map(
    [...walkSteps(steps)].map(({ step, path }) => {
      const { id: _, ...values } = step;
      // The steps of a branch are places of their own.
      const own = 'branches' in values ? { ...values, branches: values.branches.map(({ label, when }) => ({ label, when })) } : values;
      return [path, { name: step.name, values: own }];
    }),
  );
}

function diffPlaces(place: 'input' | 'step', before: Map<string, Place>, after: Map<string, Place>): WorkflowChange[] {
  const changes: WorkflowChange[] = [];
  // The order among what both have: a place that another was added before has not moved.
  const common = (from: Map<string, Place>, other: Map<string, Place>) => [...from.keys()].filter((path) => other.has(path));
  const order = common(before, after);
  const moved = new Set(common(after, before).filter((path, index) => order[index] !== path));
  for (const [path, { name, values }] of after) {
    const earlier = before.get(path);
    if (earlier === undefined) changes.push({ place, path, name, change: 'added', fields: [] });
    else {
      const fields = differences(earlier.values, values);
      if (fields.length > 0) changes.push({ place, path, name, change: 'changed', fields });
      else if (moved.has(path)) changes.push({ place, path, name, change: 'moved', fields: [] });
    }
  }
  for (const [path, { name }] of before) if (!after.has(path)) changes.push({ place, path, name, change: 'removed', fields: [] });
  return changes;
}

function differences(before: { [field: string]: unknown }, after: { [field: string]: unknown }): WorkflowChange['fields'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter((change) => change.before !== change.after);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
