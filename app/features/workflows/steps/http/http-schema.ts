import { z } from 'zod';
import { UNKNOWN_OUTCOMES } from '#app/domain/workflows/repeatable-call.ts';
import { type HttpList, inList, listed } from '#app/domain/workflows/steps/http-request.ts';
import type { HttpStep } from '#app/domain/workflows/steps/http-step.ts';
import { pinnedOf, targetField, unknownOutcomeOf } from '#app/features/workflows/steps/call/call-schema.ts';
import { commonOf, mappingOf, pairs, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

const PARTS = ['path', 'body', 'expect'] as const;
const part = z.string().max(20_000).default('');

export const httpFormSchema = z.object({
  ...stepFields,
  target: targetField,
  path: part,
  query: pairs,
  headers: pairs,
  body: part,
  expect: part,
  unknownOutcome: z.enum(UNKNOWN_OUTCOMES).default('fail'),
});
type Values = z.output<typeof httpFormSchema>;

export function readHttpStep(values: Values): HttpStep {
  const rows = [
    ...PARTS.map((name) => ({ name: name as string, value: values[name] })),
    ...(['query', 'headers'] as const).flatMap((list) =>
      values[list].filter(({ name }) => name.trim() !== '').map(({ name, value }) => ({ name: listed(list, name.trim()), value })),
    ),
  ];
  return {
    ...commonOf(values),
    kind: 'http',
    ...pinnedOf(values.target),
    task: '',
    input: mappingOf(rows),
    ...unknownOutcomeOf(values),
  };
}

/** The values of one of the two lists, by their names in it. */
export const listOf = (input: Record<string, string>, list: HttpList): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const member = inList(name);
      return member?.list === list ? [[member.name, value]] : [];
    }),
  );
