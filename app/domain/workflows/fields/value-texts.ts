import type { SampleValue } from '#app/domain/workflows/workflow.ts';

/** The same value with each text in it changed. */
export function changeTexts(value: SampleValue, change: (text: string) => string): SampleValue {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => changeTexts(one, change));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changeTexts(one, change)]));
}
