import type { DrawnValue } from '#app/components/value/drawn-value.ts';
import type { ShownFrame } from '#app/components/value/shown-frames.ts';
import type { RunStep } from '#app/features/runs/load-run-steps.server.ts';

/** A step as the panel shows it. `frames`: how many were kept of its call, and these where they are asked for. */
export type ShownStep = Omit<RunStep, 'input' | 'output'> & {
  input: DrawnValue | null;
  output: DrawnValue | null;
  frames: { kept: number; shown: ShownFrame[] | null };
};
