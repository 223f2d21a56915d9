import { z } from 'zod';
import type { SubjectPart } from '#app/contracts/runs.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import type { Asked } from '#app/domain/runs/subject/subject-text.ts';
import { isMoney } from '#app/domain/workflows/fields/money.ts';

/** As `quorate.asked_of` takes it out of what the digest covers. */
const askedSchema = z.object({
  action: z.string().nullable(),
  sentence: z.unknown(),
  values: z.array(z.tuple([z.string(), z.unknown()])).nullable(),
});
const MOST_VALUES = 3;
const MOST_CHARACTERS = 60;

/** With what is invisible spelled out. Null where there is nothing to say beyond the title: a question without a sentence, a call without a plain value. */
export function readAsked(stored: unknown): Asked | null {
  const asked = askedSchema.safeParse(stored).data;
  if (asked === undefined) return null;
  if (asked.action === null) {
    const sentence = readSubject(asked.sentence);
    return sentence === null ? null : { sentence: sentence.map(revealed) };
  }
  const values = plainValues(asked.values ?? []).slice(0, MOST_VALUES);
  return values.length === 0 ? null : { action: revealedText(asked.action), values };
}

const revealed = (part: SubjectPart): SubjectPart => (typeof part === 'string' ? revealedText(part) : part);

/** The values that fit into a sentence. A currency beside an amount stands behind it. */
function plainValues(members: readonly [string, unknown][]) {
  const of = (name: string) => members.find(([field]) => field === name)?.[1];
  const currency = of('currency');
  const joined = typeof of('amount') === 'number' && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
  return members.flatMap(([field, value]) => {
    const parts = joined && field === 'amount' ? [value as number, ` ${currency}`] : partsOf(value);
    return parts === null || (joined && field === 'currency') ? [] : [{ field: revealedText(field), parts: parts.map(revealed) }];
  });
}

function partsOf(value: unknown): SubjectPart[] | null {
  if (typeof value === 'number') return [value];
  // With a third member it would be shown as less than is sent.
  if (isMoney(value)) return Object.keys(value).length === 2 ? [{ amount: value.amount, currency: value.currency }] : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const characters = [...value.replace(/\s+/gu, ' ').trim()];
  return [characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : characters.join('')];
}
