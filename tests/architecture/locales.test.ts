import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '#app/contracts/audit-actions.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';
import { baseKey, isPlural, placesOf, scan, scanSources, textsOf } from '#tests/architecture/texts.ts';

const english = textsOf('en');
const sources = scanSources();
const translated = LANGUAGES.filter((language) => language !== 'en' && textsOf(language).size > 0);
// Translations are made from finished English: with the first of them, all are due.
const due = translated.length > 0 ? LANGUAGES.filter((language) => language !== 'en') : [];

/** Texts that are rightly the same in another language: names, units, codes and words that languages share. */
const SAME_IN: Record<string, RegExp> = {
  all: /^(Quorate|MCP|A2A|API|JSON|CSV|URL|IBAN|Cedar|JSONata|Node\.js|Starter|Professional|Enterprise|Compliance Copilot|SHA-256|Merkle|RFC 9162|OK|p95|p99|LLM Hub|Marketplace|DORA|NIS2|AI Act|GDPR|Okta|Microsoft Entra ID|Dev Console|Plugins?|E-mail|English|[\d\s\p{P}\p{S}]*|(?:\{\{\w+\}\}[\s\p{P}\p{S}]*)+)$/u,
};
// One file a language may add its own, each for a word that is truly the same there.
const SAME_WORDS: Partial<Record<string, readonly string[]>> = {
  es: [
    '{{number}} token',
    '{{number}} tokens',
    'Tokens',
    'Error',
    'Control',
    'Sector',
    'Plugins',
    'No',
    'Final',
    'Original',
    'General',
    'Token',
    'Roles',
    'Auditor',
    'Editor',
    'Inspector',
  ],
  fr: [
    'Arguments',
    'Document',
    'Obligations',
    'Client',
    'Incident',
    'Incidents',
    'Note',
    'Exceptions',
    'Signatures',
    'Signature {{number}}',
    'Workflow',
    'Discussion',
    'Format',
    'Question',
    'minutes',
    'Worker',
    'Workers',
    'Budget',
    'Transformation',
    'Menu',
    'Solutions',
    'Introduction',
    '{{count}} agent',
    '{{count}} agents',
    '{{count}} minute',
    '{{count}} minutes',
    '10 minutes',
    'Actions',
    'Action',
    'Description',
    'Notifications',
    'Notification',
    'Attention',
    'Invitations',
    'Conditions',
    'Condition',
    'Version',
    'Versions',
    'Type',
    'Date',
    'Administration',
    'Source',
    'Agent',
    'Agents',
    'Expression',
    'Instructions',
    'Support',
    'Test',
    'Protocole',
    'Code',
    'Message',
    'Sessions',
    'Score',
    'Verdict',
  ],
  de: [
    'Passkeys',
    'Gateway',
    'Gateways',
    'Minimal',
    'Client',
    'Budget',
    'Online',
    'Offline',
    'Browser',
    'Region',
    '(optional)',
    'Demo',
    'Newsletter',
    'Version {{number}}',
    'Name',
    'Status',
    'Text',
    'Version',
    'Agent',
    'Test',
    'Workflow',
    'Workflows',
    'Plugins',
    'System',
    'Code',
    'Administration',
    'Dashboard',
    'Import',
    'Export',
    'Start',
    'Ende',
    'Admin',
    'Support',
    'Format',
    'Median',
    'Routing',
  ],
};

const every = [...english].flatMap(([namespace, texts]) => [...texts].map(([key, text]) => ({ namespace, key, text })));

describe('English', () => {
  it('has no empty text and no text with a stray space', () => {
    expect(
      every.filter(({ text }) => text.trim() === '' || text !== text.trim()).map(({ namespace, key }) => `${namespace}:${key}`),
    ).toEqual([]);
  });

  it('has both plural forms of every counted text', () => {
    const lacking = every
      .filter(({ key }) => isPlural(key))
      .filter(
        ({ namespace, key }) =>
          !english.get(namespace)?.has(`${baseKey(key)}_one`) || !english.get(namespace)?.has(`${baseKey(key)}_other`),
      );
    expect(lacking.map(({ namespace, key }) => `${namespace}:${key}`)).toEqual([]);
  });

  it('holds no text that nothing shows', () => {
    expect(
      every.filter(({ namespace, key }) => !isUsed(namespace, baseKey(key))).map(({ namespace, key }) => `${namespace}:${key}`),
    ).toEqual([]);
  });

  it('holds every reason that the engine may store', () => {
    const reasons = english.get('explanations') ?? new Map();
    const known = new Set([...reasons.keys()].map(baseKey));
    expect(explanationKeys().filter((key) => !known.has(key))).toEqual([]);
  });
});

describe('the audit log', () => {
  it('has words for exactly the actions that there are', () => {
    const words = [...(english.get('actions') ?? new Map()).keys()];
    expect(words.sort()).toEqual(AUDIT_ACTIONS.map(camelCased).sort());
  });

  it('holds none that nothing records', () => {
    const elsewhere = new Set(
      sources.filter(({ path }) => path !== 'app/contracts/audit-actions.ts').flatMap(({ strings }) => [...strings]),
    );
    const recorded = new Set([...elsewhere, ...sqlActions()]);
    expect(AUDIT_ACTIONS.filter((action) => !recorded.has(action))).toEqual([]);
  });

  it('takes no others from the functions of the database', () => {
    const known: readonly string[] = AUDIT_ACTIONS;
    expect(sqlActions().length).toBeGreaterThan(10);
    expect(sqlActions().filter((action) => !known.includes(action))).toEqual([]);
  });

  it('has words for every kind of thing that an action is recorded of', () => {
    const words = english.get('audit') ?? new Map();
    const kinds = sourceFiles('app').flatMap(({ text }) => [...text.matchAll(/resource: \{ kind: '(\w+)'/g)].map(([, kind]) => kind));
    expect(kinds.length).toBeGreaterThan(20);
    expect([...new Set(kinds)].filter((kind) => !words.has(`kinds.${kind}`))).toEqual([]);
  });
});

describe('source', () => {
  it('writes no text straight into a component', () => {
    const screens = sources.filter(({ path }) => /^app\/(components|features|routes)\//.test(path) || path === 'app/root.tsx');
    expect(screens.flatMap(({ hardCoded }) => hardCoded)).toEqual([]);
  });

  it('is scanned by something that finds such texts', () => {
    const { hardCoded } = scan(
      'x.tsx',
      `export const a = <p title="Some words">Hello there {b ? <i aria-label={c ? 'Yes' : d}>1</i> : null}</p>;`,
    );
    expect(hardCoded).toHaveLength(3);
    const further = scan(
      'x.tsx',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source that is scanned holds one
      "export const a = <p title={`Some ${b}`}>{c === 'what' ? `There ${d}` : 'Words ' + d}<T columns={[{ header: 'Name' }]} className={`p-2 ${e}`} /></p>;",
    );
    expect(further.hardCoded.map((text) => text.replace(/^\S+ /, ''))).toEqual([
      'title="Some …"',
      'text="There …"',
      'text="Words "',
      'header="Name"',
    ]);
  });
});

describe.each(due)('%s', (language) => {
  const texts = textsOf(language);
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;

  it('has every text', () => {
    expect(
      every
        .filter(({ namespace, key }) => !isPlural(key) && !texts.get(namespace)?.has(key))
        .map(({ namespace, key }) => `${namespace}:${key}`),
    ).toEqual([]);
  });

  it('has every plural form that the language knows, and no other', () => {
    const counted = new Set(every.filter(({ key }) => isPlural(key)).map(({ namespace, key }) => `${namespace}:${baseKey(key)}`));
    const wanted = [...counted].flatMap((key) => categories.map((category) => `${key}_${category}`)).sort();
    const present = [...texts].flatMap(([namespace, own]) => [...own.keys()].filter(isPlural).map((key) => `${namespace}:${key}`)).sort();
    expect(present).toEqual(wanted);
  });

  it('has no text that English lacks', () => {
    const strange = [...texts].flatMap(([namespace, own]) =>
      [...own.keys()].filter((key) => !isPlural(key) && !english.get(namespace)?.has(key)).map((key) => `${namespace}:${key}`),
    );
    expect(strange).toEqual([]);
  });

  it('keeps the places of every text', () => {
    const wrong = [...texts].flatMap(([namespace, own]) =>
      [...own]
        .filter(([key, text]) => {
          const model = english.get(namespace)?.get(key) ?? english.get(namespace)?.get(`${baseKey(key)}_other`) ?? '';
          const [mine, theirs] = [placesOf(text), placesOf(model)];
          // 'one' and 'two' may be words: "a run", "two runs".
          const lacking = theirs.filter(
            (place) => !mine.includes(place) && !(isPlural(key) && place === 'count' && !key.endsWith('_other')),
          );
          return lacking.length > 0 || mine.some((place) => !theirs.includes(place));
        })
        .map(([key]) => `${namespace}:${key}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is translated', () => {
    const same = every.filter(
      ({ namespace, key, text }) =>
        texts.get(namespace)?.get(key) === text && !SAME_IN.all?.test(text) && !SAME_WORDS[language]?.includes(text),
    );
    expect(same.map(({ namespace, key, text }) => `${namespace}:${key} ${text}`)).toEqual([]);
  });
});

/** A blank before ; : ! ? or », or after «, that is not the narrow one of French (U+202F), at which no line breaks. */
const WIDE_BEFORE_MARK = /[ \u00A0](?=[;:!?»])|(?<=«)[ \u00A0]/u;

describe('French', () => {
  it('has the narrow no-break space at its marks', () => {
    const wide = [...textsOf('fr')].flatMap(([namespace, own]) =>
      [...own].filter(([, text]) => WIDE_BEFORE_MARK.test(text)).map(([key]) => `${namespace}:${key}`),
    );
    expect(wide).toEqual([]);
    expect(['a\u00A0: b', '« b\u202F»', 'a\u202F: b'].map((text) => WIDE_BEFORE_MARK.test(text))).toEqual([true, true, false]);
  });
});

/** Namespaces whose keys come out of the database, a cookie or a schema: their literals may stand in any file. */
const AT_RUN_TIME = new Set(['explanations', 'errors', 'validation', 'notices', 'audit']);

// Read as one tree, by platform/embedded/auth-mail.server.ts.
const READ_WHOLE = ['mail:auth.'];

// Gathered once: each key would walk every string of every file otherwise, and there are thousands of either.
const everyString = new Set(sources.flatMap(({ strings }) => [...strings]));
const everyPattern = [...new Map(sources.flatMap(({ patterns }) => patterns.map((pattern) => [pattern.source, pattern]))).values()];
const everyAction = new Set(AUDIT_ACTIONS.map(camelCased));
const everyMessage = new Set([...everyString].map((text) => text.split('?', 1)[0]));

function isUsed(namespace: string, key: string): boolean {
  if (READ_WHOLE.some((tree) => `${namespace}:${key}`.startsWith(tree))) return true;
  // The context of i18next stands behind an underscore: `subject_run` is `subject` with the context 'run'.
  const withoutContext = key.replace(/_[a-z]+$/i, '');
  if (withoutContext !== key && isUsed(namespace, withoutContext)) return true;
  if (everyString.has(`${namespace}:${key}`)) return true;
  if (everyPattern.some((pattern) => pattern.test(key) || pattern.test(`${namespace}:${key}`))) return true;
  if (namespace === 'actions') return everyAction.has(key);
  if (namespace === 'validation') return everyMessage.has(key);
  if (!everyString.has(key)) return false;
  // A key with a dot is telling; a single word must stand where its namespace is named.
  if (AT_RUN_TIME.has(namespace) || key.includes('.')) return true;
  return sources.some(({ path, strings }) => strings.has(key) && (strings.has(namespace) || path.startsWith(`app/features/${namespace}/`)));
}

/** What the database records on its own, read off its schema: 'approval.expired', and what `'run.' || status` may come to. */
function sqlActions(): string[] {
  const folder = join(root, 'supabase', 'schemas');
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8').replace(/--[^\n]*/g, ''))
    .join('\n');
  // Names of settings and of tables have a dot, too.
  const whole = [...text.matchAll(/'([a-z][a-zA-Z]*\.[a-z][a-zA-Z]*)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(quorate|auth|public|request|storage|pg_trgm|app)\./.test(name));
  const composed = [...text.matchAll(/'([a-z]+)\.'\s*\|\|/g)].flatMap(([, noun = '']) =>
    noun === 'run' ? RUN_ENDS.map((status) => `run.${status}`) : [`${noun}.…`],
  );
  return [...new Set([...whole, ...composed])];
}
const RUN_ENDS = ['completed', 'failed', 'cancelled'];

function camelCased(action: string): string {
  return action.replace(/[._-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Literals of the form `{ key: '…', values` in the engine and the domain. */
function explanationKeys(): string[] {
  return [...new Set(sources.filter(({ path }) => path.startsWith('app/engine/')).flatMap(({ explanations }) => explanations))].sort();
}
