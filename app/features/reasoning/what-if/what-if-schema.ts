import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';

/** Characters of an input as JSON. */
const INPUT_MAX = 200_000;
const optionalId = z.union([z.literal(''), z.uuid()]).default('');

/** `input`: a JSON object. `version` and `capability` empty: what is in force, and what was called. */
export const whatIfSchema = z.object({
  input: z
    .string()
    .max(INPUT_MAX)
    .default('{}')
    .refine((typed) => readInput(typed) !== null, 'jsonObject'),
  version: optionalId,
  capability: optionalId,
});

/** Null: not an object of JSON. */
export function readInput(typed: string): { [key: string]: Json } | null {
  try {
    const read: Json = JSON.parse(typed);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}
