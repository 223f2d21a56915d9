import { z } from 'zod';
import type { Catalogue, CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import type { WorkflowIssue, WorkflowIssueKey } from '#app/domain/workflows/workflow-issue.ts';

export const stepIdSchema = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'workflow.stepId');
export const mappingSchema = z.record(z.string().max(120), z.string().max(20_000));

/** The fields that steps of every kind have. */
export const stepCommon = {
  id: stepIdSchema,
  name: z.string().min(1).max(120),
  /** Seconds one attempt may take. */
  timeoutSeconds: z.number().int().min(1).max(3600).default(30),
  /** Attempts after the first. */
  retries: z.number().int().min(0).max(10).default(2),
  /** Wait before the first retry in seconds; doubles with each. */
  backoffSeconds: z.number().int().min(0).max(3600).default(1),
  /** `fail` ends the run, `continue` continues with a null output. */
  onError: z.enum(['fail', 'continue']).default('fail'),
};
export type StepBase = {
  id: string;
  name: string;
  timeoutSeconds: number;
  retries: number;
  backoffSeconds: number;
  onError: 'fail' | 'continue';
};

/** How a kind of step reports what is wrong with one of its steps. */
export type StepCheck = {
  catalogue: Catalogue;
  report: (field: string, key: WorkflowIssueKey, values?: WorkflowIssue['values']) => void;
  /** Checks an expression without its mark: that it parses, and that what it names exists and comes before the step. */
  expression: (field: string, text: string) => void;
  /** The same for an expression that is evaluated after the steps that the step holds, and may name them. */
  expressionAfter: (field: string, text: string) => void;
  /** It is the last of the outermost steps. */
  isLast: boolean;
};

/** All that the domain knows of one kind of step. */
export type StepRules<OneStep extends StepBase> = {
  schema: z.ZodType<OneStep>;
  /** A new step as the editor adds it. */
  create: (base: StepBase) => OneStep;
  /** Mappings by name, as `checkWorkflow` looks for expressions in them: the input of a call, or what an approver is shown. */
  mappings: (step: OneStep) => Readonly<Record<string, string>>;
  /** Reports what is wrong with a step beyond its schema and its mappings' expressions. */
  check: (step: OneStep, at: StepCheck) => void;
  /** Whose capabilities it may name; empty for a kind that calls nothing. */
  protocols: readonly CatalogueProtocol[];
  /** Whether a run that continues from a later step does this one again, because its result released one action of one run. */
  askedAgain: boolean;
  /** Whether the steps it holds run several times, so that outside it none of them has one output. */
  repeats: boolean;
  /** The members that its output has whatever it calls; empty where they follow from what is called, or are written by the author. */
  outputNames: (step: OneStep) => readonly string[];
  /** The variables that expressions see inside the list of steps with this label, besides those that all see. */
  innerNames: (label: string) => readonly string[];
};
