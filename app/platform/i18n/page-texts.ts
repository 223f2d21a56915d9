import { inSentence } from '#app/domain/web/bidi-controls.ts';
import { writtenNumber } from '#app/platform/i18n/written-number.ts';

/** A file of texts: `{ "a": { "b": "text" } }`, named in code `a.b`. */
export type TextTree = { readonly [key: string]: string | TextTree };

type Values = Readonly<Record<string, unknown>>;
export type Translate = (key: string, values?: Values) => string;

/** The texts of one component: `t` looks in the first of its namespaces, or in the one that a key names (`common:cancel`). */
export type PageTexts = ReturnType<typeof createPageTexts>;

/**
 * Texts of pages, in the browser and where the server draws them, with what this product uses of i18next: namespaces, `{{values}}`,
 * plurals and contexts, answered alike (a test compares every text of every language). i18next itself is 16 KB that a page would wait for.
 * `fetchTexts` brings the texts of some namespaces, by their names; what it rejects with goes to whoever asked. `there`: those that need not
 * be brought.
 */
export function createPageTexts(
  start: string,
  fetchTexts: (language: string, namespaces: readonly string[]) => Promise<TextTree>,
  there: TextTree = {},
) {
  let language = start;
  // Made when the first text is counted: few pages count anything before they are used.
  let rules: Intl.PluralRules | undefined;
  const formOf = (count: number) => {
    rules ??= new Intl.PluralRules(language);
    return rules.select(count);
  };
  const trees = new Map(
    Object.entries(there).flatMap(([namespace, tree]) => (typeof tree === 'string' ? [] : [[`${start} ${namespace}`, tree]])),
  );
  const fetching = new Map<string, Promise<void>>();
  const translators = new Map<string, Translate>();
  const listeners = new Set<() => void>();
  const namespaces = new Set<string>();

  // The same promise for the same question, as React's `use` requires.
  function load(wanted: readonly string[], of = language): Promise<void> {
    for (const namespace of wanted) namespaces.add(namespace);
    return once(`${of} ${wanted.join('+')}, all`, async () => {
      const missing = wanted.filter((namespace) => !fetching.has(`${of} ${namespace}`));
      const fetched: Promise<TextTree> = missing.length === 0 ? Promise.resolve({}) : fetchTexts(of, missing);
      const keep = async (namespace: string) => {
        const tree = (await fetched)[namespace];
        if (typeof tree !== 'object') throw new Error(`the texts ${of}/${namespace} did not come`);
        trees.set(`${of} ${namespace}`, tree);
      };
      for (const namespace of missing) once(`${of} ${namespace}`, () => keep(namespace));
      await Promise.all(wanted.map((namespace) => fetching.get(`${of} ${namespace}`)));
    });
  }

  function once(name: string, begin: () => Promise<void>): Promise<void> {
    const known = fetching.get(name);
    if (known !== undefined) return known;
    const begun = begin();
    fetching.set(name, begun);
    // After a failure the next one who needs it asks again.
    begun.catch(() => fetching.delete(name));
    return begun;
  }

  function find(key: string, namespace: string, values: Values): string | undefined {
    const colon = key.indexOf(':');
    const tree = trees.get(`${language} ${colon < 0 ? namespace : key.slice(0, colon)}`);
    const path = key.slice(colon + 1);
    for (const form of formsOf(path, values, formOf)) {
      const text = form
        .split('.')
        .reduce<string | TextTree | undefined>((node, part) => (typeof node === 'object' ? node[part] : undefined), tree);
      if (typeof text === 'string') return filled(text, values, language);
    }
    return undefined;
  }

  const spaceOf = (values: Values, otherwise: string) => (typeof values.ns === 'string' ? values.ns : otherwise);

  return {
    get language() {
      return language;
    },
    load,
    isLoaded: (wanted: readonly string[]) => wanted.every((namespace) => trees.has(`${language} ${namespace}`)),
    /** The same function for the same namespace until the language changes. */
    translatorOf(namespace: string): Translate {
      const name = `${language} ${namespace}`;
      const translator: Translate =
        translators.get(name) ?? ((key, values = {}) => find(key, spaceOf(values, namespace), values) ?? key.slice(key.indexOf(':') + 1));
      translators.set(name, translator);
      return translator;
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // The following members of i18next's instance are used, under its names.
    t: (key: string, values: Values = {}) => find(key, spaceOf(values, 'common'), values) ?? key,
    exists: (key: string, values: Values = {}) => find(key, spaceOf(values, 'common'), values) !== undefined,
    hasResourceBundle: (of: string, namespace: string) => trees.has(`${of} ${namespace}`),
    /** Brings the texts of another language for all that has been shown so far. Never rejects: ask `hasResourceBundle`. */
    loadLanguages: (wanted: string) => load([...namespaces], wanted).catch(() => {}),
    changeLanguage(wanted: string) {
      language = wanted;
      rules = undefined;
      translators.clear();
      for (const listener of listeners) listener();
    },
  };
}

/** A value that was not given leaves its placeholder; one that is empty removes it. */
function filled(text: string, values: Values, language: string): string {
  return text.replace(/\{\{\s*(.+?)\s*\}\}/g, (place, name: string) => {
    if (!Object.hasOwn(values, name)) return place;
    const value = values[name] ?? '';
    return typeof value === 'number' ? writtenNumber(value, language) : inSentence(String(value));
  });
}

/** The keys to try, the closest first: i18next joins a context and a plural form to the key by underscores. */
function formsOf(key: string, { count, context }: Values, formOf: (count: number) => string): string[] {
  const stems = context === undefined || context === '' ? [key] : [`${key}_${String(context)}`, key];
  if (typeof count !== 'number') return stems;
  return stems.flatMap((stem) => [...(count === 0 ? [`${stem}_zero`] : []), `${stem}_${formOf(count)}`, stem]);
}
