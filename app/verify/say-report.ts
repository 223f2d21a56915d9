/** The findings of the verifier in English, for whoever has no pages of the product around them. */
import type { Check, Report } from '#app/features/audit/verifier/report.ts';
import words from '#locales/en/audit.json' with { type: 'json' };

const VERDICTS = {
  proven: 'verify.verdictProven',
  part: 'verify.verdictPart',
  failed: 'verify.verdictFailed',
  unpinned: 'verify.verdictUnpinned',
  incomplete: 'verify.verdictIncomplete',
} as const;
const SUBJECTS = { event: 'verify.subjectEvent', run: 'verify.subjectRun', log: 'verify.subjectLog', pack: 'verify.subjectPack' } as const;

export const verdictSentence = ({ verdict }: Report) => sentence(VERDICTS[verdict], {});

/** Null: the file could not be read. */
export function subjectSentence({ subject }: Report): string | null {
  return subject === null ? null : sentence(SUBJECTS[subject.kind], { id: subject.id });
}

export const keyFileSentence = (file: string) => sentence('verify.keyFile', { file });

export function checkSentence(check: Check): string {
  return fill(plural(words.checks, check.code, check.values.count), check.values);
}

function sentence(key: `verify.${keyof typeof words.verify}`, values: Record<string, string | number>): string {
  return fill(words.verify[key.slice('verify.'.length) as keyof typeof words.verify], values);
}

function plural(texts: Record<string, string>, key: string, count: string | number | undefined): string {
  return texts[key] ?? texts[`${key}_${count === 1 ? 'one' : 'other'}`] ?? key;
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
