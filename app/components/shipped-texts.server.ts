import type { RouterContextProvider } from 'react-router';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';
import { memberContext } from '#app/request-context.ts';

type Context = Readonly<RouterContextProvider>;

/** Names of properties that hold a name or a sentence of a workflow or a policy. Values of a run stand under others. */
const TEXT_PROPERTIES: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'detail',
  'label',
  'question',
  'workflow',
  'workflowName',
  'policyName',
  'step',
]);
/** Properties that were called, returned, digested or recorded: shown as they are. */
const VERBATIM: ReadonlySet<string> = new Set(['subject', 'output', 'value', 'payload', 'candidates', 'votes']);

/**
 * The data of a screen of the demo with the texts that Quorate ships in the reader's language; another workspace's as it is. For screens
 * that show: what is edited, exported, digested or proven keeps its own words (decision 29).
 */
export function inReadersLanguage<T>(context: Context, data: T): T {
  const texts = textsOf(context);
  return texts === null ? data : (translated(data, texts) as T);
}

/** One text of the demo, also where it is a value: of a sample that a form is filled with. */
export function sayShipped(context: Context): (text: string) => string {
  const texts = textsOf(context);
  return (text) => texts?.get(text) ?? text;
}

/** The words of a search as the demo has them: the English of the shipped text in which the reader's words stand, or the words themselves. */
export function inShippedWords(context: Context, words: string): string {
  const wanted = words.toLocaleLowerCase(getLanguage(context));
  if (wanted.length < 3) return words;
  for (const [english, text] of textsOf(context) ?? []) if (text.toLocaleLowerCase(getLanguage(context)).includes(wanted)) return english;
  return words;
}

function textsOf(context: Context): ReadonlyMap<string, string> | null {
  if (!context.get(memberContext).member.workspace.isDemo) return null;
  const texts = shippedTexts(getLanguage(context));
  return texts.size === 0 ? null : texts;
}

function translated(data: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(data)) return data.map((one) => translated(one, texts));
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (typeof value === 'string') return [name, TEXT_PROPERTIES.has(name) ? (texts.get(value) ?? value) : value];
      // A document's input is a list of fields; a run's is what it was given.
      const isGiven = name === 'input' && !Array.isArray(value);
      return [name, VERBATIM.has(name) || isGiven ? value : translated(value, texts)];
    }),
  );
}
