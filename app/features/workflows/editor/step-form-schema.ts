import { z } from 'zod';
import type { StepKind } from '#app/domain/statuses.ts';
import { UNKNOWN_OUTCOMES } from '#app/domain/workflows/repeatable-call.ts';
import { APPROVAL_RISKS } from '#app/features/workflows/editor/step-options.ts';

const pair = z.object({ name: z.string().max(120).default(''), value: z.string().max(20_000).default('') });
const pairs = z.array(pair).max(60).default([]);
const whole = (min: number, max: number) => z.number().int().min(min).max(max);

const common = {
  revision: z.number().int().min(0),
  id: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'stepId'),
  name: z.string().trim().min(1).max(120),
  timeoutSeconds: whole(1, 3600),
  retries: whole(0, 10),
  backoffSeconds: whole(0, 3600),
  onError: z.enum(['fail', 'continue']),
};
const target = {
  /** `<connection>/<capability>`, or empty to route by the task. */
  target: z.string().max(260).default(''),
  task: z.string().trim().max(500).default(''),
  input: pairs,
  unknownOutcome: z.enum(UNKNOWN_OUTCOMES).default('fail'),
};

export const stepFormSchemas = {
  tool: z.object({ ...common, ...target }),
  agent: z.object({ ...common, ...target }),
  model: z.object({
    ...common,
    target: z.string().max(260).default(''),
    prompt: z.string().trim().min(1).max(20_000),
    system: z.string().max(20_000).default(''),
    maxTokens: whole(1, 100_000).optional(),
    temperature: z.number().min(0).max(2).optional(),
    schema: z.string().max(20_000).default(''),
  }),
  approval: z.object({
    ...common,
    question: z.string().trim().min(1).max(500),
    show: pairs,
    risk: z.enum(APPROVAL_RISKS),
    quorum: whole(1, 9),
    dueHours: whole(1, 720),
  }),
  transform: z.object({ ...common, expression: z.string().trim().min(1).max(20_000) }),
  branch: z.object({
    ...common,
    mode: z.enum(['choose', 'parallel']),
    branches: z
      .array(z.object({ label: z.string().default(''), when: z.string().max(20_000).default(''), was: z.string().default('') }))
      .max(21)
      .default([]),
  }),
} as const satisfies Record<StepKind, z.ZodObject>;
