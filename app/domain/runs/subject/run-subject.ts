import { z } from 'zod';
import type { SubjectPart } from '#app/contracts/runs.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';

/** Characters of a subject, its numbers written plainly. */
export const SUBJECT_MAX_CHARACTERS = 120;
/** The same of an approval's sentence. */
export const SENTENCE_MAX_CHARACTERS = 200;

const subjectSchema = z.array(z.union([z.string(), z.number(), z.object({ amount: z.number(), currency: z.string() })]));

/** A stored subject; null where there is none, or nothing of it is left. */
export function readSubject(stored: unknown): SubjectPart[] | null {
  const parts = subjectSchema.safeParse(stored).data ?? null;
  return parts !== null && plainText(parts).trim() !== '' ? parts : null;
}

const plainText = (parts: readonly SubjectPart[]): string => plainSubject(parts) ?? '';

/** Separators and blanks that stand where a value is missing. */
const START = /^[\s·,;|/]+/u;
const END = /[\s·,;|/]+$/u;
/** Controls, ends of lines, directions and all that nobody sees, but for the joiners of emoji and of Persian words. */
const UNSEEN = /(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const cleaned = (text: string): string => text.toWellFormed().replace(UNSEEN, ' ');

/**
 * Parts in the form that is stored: one line without controls, neighbouring texts as one, separators around missing values left out, and cut
 * to the limit. Null: nothing is left.
 */
export function boundedSubject(parts: readonly SubjectPart[], most = SUBJECT_MAX_CHARACTERS): SubjectPart[] | null {
  const joined: SubjectPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + cleaned(part);
    else joined.push(typeof part === 'string' ? cleaned(part) : part);
  }
  const tidy = joined.map((part, place) => (typeof part === 'string' ? withoutGaps(part, place === 0, place === joined.length - 1) : part));
  const kept = cut(
    tidy.filter((part) => part !== ''),
    most,
  );
  return plainText(kept).trim() === '' ? null : kept;
}

function withoutGaps(text: string, first: boolean, last: boolean): string {
  const closed = text.replace(/\s+/gu, ' ').replace(/(?: ?· ?){2,}/gu, ' · ');
  const begun = first ? closed.replace(START, '') : closed;
  return last ? begun.replace(END, '') : begun;
}

function cut(parts: readonly SubjectPart[], most: number): SubjectPart[] {
  const kept: SubjectPart[] = [];
  let room = most;
  for (const part of parts) {
    const characters = [...plainText([part])];
    if (characters.length <= room) kept.push(part);
    // A number that is cut is another number.
    else
      return typeof part === 'string' && room > 1
        ? [
            ...kept,
            `${characters
              .slice(0, room - 1)
              .join('')
              .trimEnd()}…`,
          ]
        : kept;
    room -= characters.length;
  }
  return kept;
}
