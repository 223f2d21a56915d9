import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import type { Json } from '#app/contracts/json.ts';
import { nextTime, parseCron } from '#app/domain/workflows/cron.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';

const NAME_MAX = 80;
const INPUT_MAX = 20_000;

const common = {
  /** Made with the form: sent twice it makes one trigger. */
  id: z.uuid(),
  name: z.string().trim().min(1).max(NAME_MAX),
  workflow: z.uuid({ error: message('chooseOne') }),
};

export const newScheduleSchema = z.object({
  ...common,
  cron: z
    .string()
    .trim()
    .refine((text) => parseCron(text) !== null, { error: message('cron') })
    .refine(comesEver, { error: message('cronNever') }),
  timeZone: z
    .string()
    .trim()
    .max(64)
    .refine(isTimeZone, { error: message('timeZone') }),
  /** The run's input as a JSON object; empty: no input. */
  input: z
    .string()
    .trim()
    .max(INPUT_MAX)
    .optional()
    .refine((text) => readInput(text) !== null, { error: message('jsonObject') }),
});

export const newWebhookSchema = z.object(common);

export const deleteTriggerSchema = z.object({});

/** A JSON object, `{}` for an empty body, null for anything else. */
export function readInput(text: string | undefined): { [name: string]: Json } | null {
  if (text === undefined || text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { [name: string]: Json }) : null;
  } catch {
    return null;
  }
}

/** An invalid expression was reported already. */
function comesEver(text: string): boolean {
  const cron = parseCron(text);
  return cron === null || nextTime(cron, 'UTC', new Date()) !== null;
}
