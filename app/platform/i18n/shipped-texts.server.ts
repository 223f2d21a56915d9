import { SAMPLE_RUNS } from '#app/domain/demo/sample-runs.ts';
import { type SentenceWords, sentenceWords } from '#app/domain/runs/subject/sentence-words.ts';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import { FALLBACK_LANGUAGE, type Language } from '#app/domain/web/languages.ts';
import { isMoney } from '#app/domain/workflows/fields/money.ts';
import {
  BRANCH_WORDS,
  NAMED_PLACES,
  SHIPPED_NAME_KEYS,
  SHIPPED_VALUE_KEYS,
  sentencePlaces,
  TEMPLATE_SENTENCES,
  TEMPLATE_WORDS,
} from '#app/domain/workflows/template-words.ts';
import { WORKFLOW_TEMPLATES, type WorkflowTemplateId } from '#app/domain/workflows/workflow-templates.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';

/** Texts that Quorate ships, by their English. All are empty for English. */
export type ShippedTexts = Readonly<{
  /** Names and sentences of workflows, samples, policies and built-in tools. */
  names: ReadonlyMap<string, string>;
  /** Inputs and outputs of samples and of the demo's runs, and the reasons of its approver. */
  values: ReadonlyMap<string, string>;
  /** Labels of branches. */
  branches: ReadonlyMap<string, string>;
  /** A sentence of an approval, or the subject of a run, with its values. */
  sentence: SentenceWords;
}>;

type Word = (typeof TEMPLATE_WORDS)[keyof typeof TEMPLATE_WORDS] | (typeof SHIPPED_NAME_KEYS)[number] | (typeof SHIPPED_VALUE_KEYS)[number];
type Key = `templates.words.${Word}` | `templates.${WorkflowTemplateId}.${'title' | 'description'}`;

/** What the built-in connections and their tools are called, in the namespace builtin. */
const BUILTIN_NAMES = [
  'tools',
  'copilot',
  'compareDates',
  'detectPersonalData',
  'evaluateArithmetic',
  'profileCsv',
  'redactText',
  'screenName',
  'assessObligations',
] as const;

const known = new Map<Language, ShippedTexts>();

/** The texts of the workflows, samples, policies and demo runs that Quorate ships, in this language. */
export function shippedTexts(language: Language): ShippedTexts {
  const found = known.get(language) ?? (language === FALLBACK_LANGUAGE ? NONE : textsIn(language));
  known.set(language, found);
  return found;
}

const NONE: ShippedTexts = { names: new Map(), values: new Map(), branches: new Map(), sentence: (parts) => [...parts] };

function textsIn(language: Language): ShippedTexts {
  const english = translatorFor(FALLBACK_LANGUAGE, 'workflows');
  const own = translatorFor(language, 'workflows');
  const pairsOf = (keys: readonly Key[]) => keys.map((key): [string, string] => [english(key), own(key)]);
  const wordKeys = (words: readonly Word[]) => words.map((word) => `templates.words.${word}` as const);
  const workspace = 'demoWorkspace';
  const builtin = [translatorFor(FALLBACK_LANGUAGE, 'builtin'), translatorFor(language, 'builtin')] as const;
  const builtinPairs = (part: 'name' | 'description') =>
    BUILTIN_NAMES.map((name): [string, string] => [builtin[0](`own.${name}.${part}`), builtin[1](`own.${name}.${part}`)]);
  const values = new Map(pairsOf(wordKeys(SHIPPED_VALUE_KEYS)));
  const sentences = Object.entries(TEMPLATE_SENTENCES);
  const sentencePairs = sentences.map(([, word]) => ({
    from: english(`templates.words.${word}`, NAMED_PLACES),
    to: own(`templates.words.${word}`, NAMED_PLACES),
  }));
  return {
    // A search takes the first that holds its words: names before sentences.
    names: new Map([
      ...pairsOf(WORKFLOW_TEMPLATES.map(({ id }) => `templates.${id}.title` as const)),
      ...pairsOf(wordKeys([...Object.values(TEMPLATE_WORDS), ...SHIPPED_NAME_KEYS])),
      ...builtinPairs('name'),
      ...pairsOf(WORKFLOW_TEMPLATES.map(({ id }) => `templates.${id}.description` as const)),
      ...builtinPairs('description'),
      ...sentences.map(([template, word]): [string, string] => [template, own(`templates.words.${word}`, sentencePlaces(template))]),
      [translatorFor(FALLBACK_LANGUAGE, 'common')(workspace), translatorFor(language, 'common')(workspace)],
    ]),
    values: new Map([...values, ...[...values].map(masked), ...composedIn(language, values)]),
    branches: new Map(Object.entries(BRANCH_WORDS).map(([label, word]) => [label, own(`templates.words.${word}`)])),
    sentence: sentenceWords(sentencePairs, (text) => values.get(text) ?? text),
  };
}

/** As the tool that masks personal data returns both. */
function masked([english, own]: [string, string]): [string, string] {
  const mask = (text: string) => text.replace(/\S+@example\.com/g, '[email]').replace(/\+[\d -]+\d/g, '[phone]');
  return [mask(english), mask(own)];
}

/** The sentences that a payment's steps make of its input. */
function composedIn(language: Language, values: ReadonlyMap<string, string>): [string, string][] {
  const payments = SAMPLE_RUNS.filter(({ template }) => template === 'paymentScreening').map(({ input }) => input);
  return (['paymentAsked', 'paymentReleased'] as const).flatMap((word) =>
    payments.map((input): [string, string] => {
      const sentence = (reader: Language, purpose: string) =>
        translatorFor(reader, 'workflows')(`templates.words.${word}`, {
          ...(isMoney(input.amount) && { amount: String(input.amount.amount), currency: input.amount.currency }),
          payee: String(input.payee),
          purpose,
        });
      const purpose = String(input.purpose);
      return [stripBidiControls(sentence(FALLBACK_LANGUAGE, purpose)), sentence(language, values.get(purpose) ?? purpose)];
    }),
  );
}
