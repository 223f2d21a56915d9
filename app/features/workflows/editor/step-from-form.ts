import type { z } from 'zod';
import { assertNever } from '#app/domain/assert-never.ts';
import type { Branch, BranchStep, Step } from '#app/domain/workflows/workflow.ts';
import type { stepFormSchemas } from '#app/features/workflows/editor/step-form-schema.ts';

type Values = { [Kind in keyof typeof stepFormSchemas]: z.infer<(typeof stepFormSchemas)[Kind]> };

const asMapping = (pairs: readonly { name: string; value: string }[]) =>
  Object.fromEntries(pairs.filter(({ name, value }) => name.trim() !== '' && value !== '').map(({ name, value }) => [name.trim(), value]));

type Common = Pick<Step, 'id' | 'name' | 'timeoutSeconds' | 'retries' | 'backoffSeconds' | 'onError'>;

function commonOf(values: Common): Common {
  const { id, name, timeoutSeconds, retries, backoffSeconds, onError } = values;
  return { id, name, timeoutSeconds, retries, backoffSeconds, onError };
}

function pinnedOf(target: string) {
  const cut = target.indexOf('/');
  return cut > 0 ? { connection: target.slice(0, cut), capability: target.slice(cut + 1) } : { connection: null, capability: null };
}

function targetOf(values: Values['tool']) {
  const { unknownOutcome } = values;
  return {
    ...pinnedOf(values.target),
    task: values.task,
    input: asMapping(values.input),
    // what is not chosen stays unsaid: the document of a step that nobody changed stays the same
    ...(unknownOutcome === 'fail' ? {} : { unknownOutcome }),
  };
}

/** Branches keep their steps under a new label; an emptied label removes a branch. */
function branchesOf(values: Values['branch'], before: BranchStep): Branch[] {
  return values.branches
    .filter(({ label }) => label.trim() !== '')
    .map(({ label, when, was }) => ({
      label: label.trim(),
      when,
      steps: before.branches.find((branch) => branch.label === was)?.steps ?? [],
    }));
}

/** The step that a submitted form describes, of the same kind as the one it edits. */
export function stepFromForm<Kind extends Step['kind']>(before: Extract<Step, { kind: Kind }>, values: Values[Kind]): Step {
  const step: Step = before;
  switch (step.kind) {
    case 'tool': {
      const form = values as Values['tool'];
      return { ...commonOf(form), kind: 'tool', ...targetOf(form) };
    }
    case 'agent': {
      const form = values as Values['agent'];
      return { ...commonOf(form), kind: 'agent', ...targetOf(form) };
    }
    case 'model': {
      const form = values as Values['model'];
      return {
        ...commonOf(form),
        kind: 'model',
        ...pinnedOf(form.target),
        task: '',
        input: { prompt: form.prompt, ...(form.system.trim() === '' ? {} : { system: form.system }) },
        maxTokens: form.maxTokens ?? null,
        temperature: form.temperature ?? null,
        schema: form.schema.trim(),
      };
    }
    case 'approval': {
      const form = values as Values['approval'];
      return {
        ...commonOf(form),
        kind: 'approval',
        question: form.question,
        show: asMapping(form.show),
        risk: form.risk,
        quorum: form.quorum,
        dueHours: form.dueHours,
      };
    }
    case 'transform': {
      const form = values as Values['transform'];
      return { ...commonOf(form), kind: 'transform', expression: form.expression };
    }
    case 'branch': {
      const form = values as Values['branch'];
      return { ...commonOf(form), kind: 'branch', mode: form.mode, branches: branchesOf(form, step) };
    }
    default:
      return assertNever(step);
  }
}
