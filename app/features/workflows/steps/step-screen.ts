import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';
import type { stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export type StepFormProps<OneStep extends Step = Step> = {
  step: OneStep;
  revision: number;
  catalogue: readonly StepTarget[];
  lastResult: FormResult | undefined;
};

/** How the editor shows a step of one kind and reads what comes back. */
export type StepScreen<OneStep extends Step, Schema extends z.ZodObject = z.ZodObject<typeof stepFields>> = {
  schema: Schema;
  Form: ComponentType<StepFormProps<OneStep>>;
  /** The step that a submitted form describes. */
  read(values: z.output<Schema>, before: OneStep): OneStep;
  /** Whether its fields follow from the target: once another is chosen, the form is shown again. */
  followsTarget: boolean;
};

/** Holds that the form's schema and its reader belong together, and lets go of which schema it is. */
export function stepScreen<OneStep extends Step, Schema extends z.ZodObject<typeof stepFields>>(
  screen: StepScreen<OneStep, Schema>,
): StepScreen<OneStep> {
  return screen;
}
