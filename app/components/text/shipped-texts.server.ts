import type { RouterContextProvider } from 'react-router';
import { memberContext, storedTextsContext } from '#app/contracts/request-context.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import type { SentenceWords } from '#app/domain/runs/subject/sentence-words.ts';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';
import { type ShippedTexts, shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';

type Context = Readonly<RouterContextProvider>;
type Texts = Readonly<
  Record<Exclude<keyof ShippedTexts, 'sentence'>, Pick<ReadonlyMap<string, string>, 'get'>> & Pick<ShippedTexts, 'sentence'>
>;

/** Names of properties that hold a name or a sentence of a workflow, a policy or a built-in tool. Values of a run have other names. */
const NAME_PROPERTIES: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'detail',
  'label',
  'question',
  'sentence',
  'workflow',
  'policyName',
  'step',
  'resource',
  'connection',
  'connectionName',
]);
/** Properties that hold a sentence which a person or a tool gave: a vote's reason, a failure's message. */
const SENTENCE_PROPERTIES: ReadonlySet<string> = new Set(['reason', 'message']);
/** Inputs and outputs of runs and steps. A text in them is translated only if all of it is a text of the demo's sample runs. */
const VALUE_PROPERTIES: ReadonlySet<string> = new Set(['input', 'output', 'value']);
/** Properties that are recorded, digested or compared: never translated, but for the subject of a run, which is a list of parts. */
const VERBATIM: ReadonlySet<string> = new Set(['subject', 'payload', 'candidates']);

/**
 * The data of a screen of the demo with the texts that Quorate ships in the reader's language; another workspace's as it is, and any where
 * the reader asked for what is stored. What is exported, digested or proven keeps its own words (decision 29).
 */
export function inReadersLanguage<T>(context: Context, data: T): T {
  const texts = textsShown(context);
  return texts === null ? data : (translated(data, texts) as T);
}

/** One text of the demo, also if it is a value, such as a sample that fills a form. */
export function sayShipped(context: Context): (text: string) => string {
  const texts = textsShown(context);
  return (text) => texts?.names.get(text) ?? texts?.values.get(text) ?? text;
}

/** A sentence of an approval in the reader's language, where the demo has made it. */
export function sentenceInReadersLanguage(context: Context): SentenceWords {
  return textsShown(context)?.sentence ?? ((parts) => [...parts]);
}

/** The name of the member's workspace. */
export function shownWorkspaceName(context: Context): string {
  return sayShipped(context)(context.get(memberContext).member.workspace.name);
}

/** The search words as the demo stores them: the English of the shipped text that contains them, or the words themselves. */
export function inShippedWords(context: Context, words: string): string {
  const wanted = words.toLocaleLowerCase(getLanguage(context));
  if (wanted.length < 3) return words;
  for (const [english, text] of textsOf(context)?.names ?? [])
    if (text.toLocaleLowerCase(getLanguage(context)).includes(wanted)) return english;
  return words;
}

/** The fields of a posted form. A name that is still the translation shown goes back to the stored English, so saving does not rename it. */
export function inStoredWords<T>(context: Context, sent: T): T {
  const texts = textsOf(context);
  if (texts === null) return sent;
  const stored = new Map([...texts.names].map(([english, own]) => [stripBidiControls(own), english]));
  const names = { get: (text: string) => stored.get(stripBidiControls(text)) };
  return translated(sent, { names, values: new Map(), branches: new Map(), sentence: (parts) => [...parts] }) as T;
}

/** Whether the texts of this page are those of the demo in another language, or as stored because the reader asked for them. */
export function shownTexts(context: Context): 'translated' | 'stored' | null {
  if (textsOf(context) === null) return null;
  return context.get(storedTextsContext) ? 'stored' : 'translated';
}

function textsOf(context: Context): ShippedTexts | null {
  if (!context.get(memberContext).member.workspace.isDemo) return null;
  const texts = shippedTexts(getLanguage(context));
  return texts.names.size === 0 ? null : texts;
}

const textsShown = (context: Context) => (context.get(storedTextsContext) ? null : textsOf(context));

const isPlain = (data: unknown): data is { [name: string]: unknown } =>
  typeof data === 'object' && data !== null && Object.getPrototypeOf(data) === Object.prototype;

function translated(data: unknown, texts: Texts): unknown {
  if (Array.isArray(data)) return data.map((one) => translated(one, texts));
  if (!isPlain(data)) return data;
  const shown = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, translatedProperty(name, value, texts)]));
  // A label is part of its steps' paths: it stays, and has a title beside it.
  const title = 'when' in data && 'steps' in data ? texts.branches.get(String(data.label)) : undefined;
  return title === undefined ? shown : { ...shown, title };
}

function translatedProperty(name: string, value: unknown, texts: Texts): unknown {
  if (VERBATIM.has(name)) {
    const parts = name === 'subject' && Array.isArray(value) ? readSubject(value) : null;
    return parts === null ? value : texts.sentence(parts);
  }
  // A document's input is a list of fields; a run's is the values it was started with.
  if (VALUE_PROPERTIES.has(name) && !(name === 'input' && Array.isArray(value))) return translatedValue(value, texts);
  if (name === 'show' && isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([label, mapping]) => [texts.names.get(label) ?? label, mapping]));
  if (typeof value !== 'string') return translated(value, texts);
  if (NAME_PROPERTIES.has(name)) return texts.names.get(value) ?? value;
  if (SENTENCE_PROPERTIES.has(name)) return texts.values.get(value) ?? value;
  return name === 'branch' ? (texts.branches.get(value) ?? value) : value;
}

function translatedValue(value: unknown, texts: Texts): unknown {
  if (typeof value === 'string') return texts.values.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => translatedValue(one, texts));
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, translatedValue(one, texts)])) : value;
}
