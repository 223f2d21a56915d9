import { z } from 'zod';
import type { Step } from '#app/domain/workflows/steps/step.ts';

/** A whole number within both bounds. */
export const whole = (min: number, max: number) => z.number().int().min(min).max(max);

const pair = z.object({ name: z.string().max(120).default(''), value: z.string().max(20_000).default('') });
/** Rows of a mapping as a form posts them, empty ones included. */
export const pairs = z.array(pair).max(60).default([]);

/** The fields that the form of every kind has. `revision`: of the draft that the form was drawn from. */
export const stepFields = {
  revision: z.number().int().min(0),
  id: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'stepId'),
  name: z.string().trim().min(1).max(120),
  timeoutSeconds: whole(1, 3600),
  retries: whole(0, 10),
  backoffSeconds: whole(0, 3600),
  onError: z.enum(['fail', 'continue']),
};

type Common = Pick<Step, 'id' | 'name' | 'timeoutSeconds' | 'retries' | 'backoffSeconds' | 'onError'>;

/** Of a step or of a submitted form, the fields that every kind has. */
export function commonOf({ id, name, timeoutSeconds, retries, backoffSeconds, onError }: Common): Common {
  return { id, name, timeoutSeconds, retries, backoffSeconds, onError };
}

/** The mapping that rows of a form make; rows without a name or a value are left out. */
export const mappingOf = (rows: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ name, value }) => name.trim() !== '' && value !== '').map(({ name, value }) => [name.trim(), value]));

/** The rows that a form shows for a mapping, with empty ones below. */
export const rowsOf = (mapping: Record<string, string>, spare: number) => [
  ...Object.entries(mapping).map(([name, value]) => ({ name, value })),
  ...Array.from({ length: spare }, () => ({ name: '', value: '' })),
];
