import { z } from 'zod';
import { WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepBase, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

export interface BranchOf<Inner> {
  label: string;
  when: string;
  steps: Inner[];
  /** Shown instead of the label. Never stored. */
  title?: string | undefined;
}
/** `choose` takes the first branch whose `when` is true (an empty `when` always is); `parallel` takes all at once. */
export interface BranchStepOf<Inner> extends StepBase {
  kind: 'branch';
  mode: 'choose' | 'parallel';
  branches: BranchOf<Inner>[];
}

/**
 * A place where a run parts. Any kind that holds steps keeps them in `branches`, each list under its own label: paths, outline and picture
 * go by that property. `inner`: the schema of a step of any kind, which only the table of all kinds can give.
 */
export function branchRules<Inner>(inner: z.ZodType<Inner>): StepRules<BranchStepOf<Inner>> {
  return {
    schema: z.object({
      ...stepCommon,
      kind: z.literal('branch'),
      mode: z.enum(['choose', 'parallel']).default('choose'),
      branches: z
        .array(
          z.object({
            label: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.branchLabel'),
            when: z.string().max(20_000).default(''),
            steps: z.array(inner).max(WORKFLOW_MAX_STEPS),
          }),
        )
        .min(1)
        .max(20),
    }),
    create: (base) => ({
      ...base,
      kind: 'branch',
      mode: 'choose',
      branches: [
        { label: 'yes', when: '=true', steps: [] },
        { label: 'otherwise', when: '', steps: [] },
      ],
    }),
    mappings: () => ({}),
    check: (step, at) => {
      const labels = new Set<string>();
      for (const [index, branch] of step.branches.entries()) {
        if (labels.has(branch.label)) at.report(`branches.${index}.label`, 'duplicateBranch', { label: branch.label });
        labels.add(branch.label);
        if (step.mode === 'choose' && branch.when.trim() !== '') at.expression(`branches.${index}.when`, stripMark(branch.when));
        if (step.mode === 'choose' && branch.when.trim() === '' && index < step.branches.length - 1)
          at.report(`branches.${index}.when`, 'unreachableBranch', { label: branch.label });
      }
    },
    protocols: [],
    askedAgain: false,
    repeats: false,
    outputNames: (step) => (step.mode === 'choose' ? ['branch', 'output'] : []),
    innerNames: () => [],
  };
}
