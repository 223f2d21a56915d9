import { expect, test } from 'vitest';
import type { StepKind, StepStatus } from '#app/contracts/statuses.ts';
import { failedStepOf } from '#app/features/runs/failed-step.ts';

const step = (path: string, kind: StepKind, status: StepStatus) => ({ path, kind, status });

test('the last step that failed is the one to try again, not what holds it, and not the calls inside it', () => {
  const steps = [
    step('first', 'tool', 'error'),
    step('fork', 'branch', 'error'),
    step('fork/left/agent', 'agent', 'error'),
    step('fork/left/agent/1', 'tool', 'error'),
    step('after', 'transform', 'success'),
  ];
  expect(failedStepOf({ status: 'failed', steps })?.path).toBe('fork/left/agent');
  const cleaned = [...steps, step('end', 'cleanup', 'error'), step('end/on_failure/undo', 'tool', 'error')];
  expect(failedStepOf({ status: 'failed', steps: cleaned })?.path).toBe('fork/left/agent');
  expect(failedStepOf({ status: 'cancelled', steps })).toBeUndefined();
  expect(failedStepOf({ status: 'failed', steps: steps.filter(({ status }) => status === 'success') })).toBeUndefined();
});
