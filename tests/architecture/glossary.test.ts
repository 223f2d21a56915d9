import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '#app/domain/web/languages.ts';
import { textsOf } from '#tests/architecture/texts.ts';

/** A term of the glossaries, and the one translation that each language has for it. */
const TERMS: { term: RegExp; in: Record<Exclude<Language, 'en'>, RegExp> }[] = [
  { term: /\bworkflows?\b/i, in: { de: /workflow/i, fr: /processus/i, es: /flujos?/i, ar: /مسار/, he: /תהליכ?ך?/ } },
  { term: /\bversions?\b/i, in: { de: /version/i, fr: /version/i, es: /versi[oó]n/i, ar: /إصدار/, he: /גרס/ } },
  { term: /\bdrafts?\b/i, in: { de: /entw[uü]rf/i, fr: /brouillon/i, es: /borrador/i, ar: /مسود/, he: /טיוט/ } },
  {
    term: /\bcheckpoints?\b/i,
    in: { de: /prüfpunkt/i, fr: /points? de contrôle/i, es: /puntos? de control/i, ar: /نقطة|نقاط/, he: /נקוד/ },
  },
  { term: /\baudit log\b/i, in: { de: /audit-log/i, fr: /journal d’audit/i, es: /registro/i, ar: /سجل/, he: /יומן/ } },
  { term: /\bAPI keys?\b/i, in: { de: /API-Schlüssel/, fr: /clés? d’API/i, es: /claves? de API/i, ar: /مف(?:تاح|اتيح)/, he: /מפתח/ } },
  { term: /\brun numbers?\b/i, in: { de: /laufnummer/i, fr: /numéro/i, es: /número/i, ar: /رقم|أرقام/, he: /מספר/ } },
  { term: /\bgateways?\b/i, in: { de: /gateway/i, fr: /passerelle/i, es: /pasarela/i, ar: /بوابة|بوابات/, he: /שער/ } },
  { term: /\bfingerprints?\b/i, in: { de: /fingerabdr/i, fr: /empreinte/i, es: /huella/i, ar: /بصم/, he: /טביע/ } },
  { term: /\bsub-workflows?\b/i, in: { de: /teil-workflow/i, fr: /sous-processus/i, es: /subflujo/i, ar: /فرعي/, he: /תת/ } },
  { term: /\bdry runs?\b/i, in: { de: /probel[aä]uf/i, fr: /simulation/i, es: /simulaci/i, ar: /محاكا/, he: /יבש/ } },
  {
    term: /\bidentity providers?\b/i,
    in: {
      de: /identitätsanbieter/i,
      fr: /fournisseurs? d’identité/i,
      es: /proveedor(?:es)? de identidad/i,
      ar: /موفّر[وي]? (?:ال)?هوية/,
      he: /ספקי? (?:ה)?זהויות/,
    },
  },
  {
    term: /\bcompany sign-in\b/i,
    in: {
      de: /unternehmensanmeldung/i,
      fr: /connexion d’entreprise/i,
      es: /sesión de la empresa/i,
      ar: /عبر (?:ال)?شركة/,
      he: /כניסה (?:ה)?ארגונית/,
    },
  },
  { term: /\bproven domains?\b/i, in: { de: /nachgewiesen/i, fr: /vérifié/i, es: /verificado/i, ar: /مُثب/, he: /מאומת/ } },
  { term: /\bincidents?\b/i, in: { de: /vorf[aä]ll/i, fr: /incident/i, es: /incidente/i, ar: /حادث|حوادث/, he: /תקרית|תקריות/ } },
  { term: /\battestations?\b/i, in: { de: /bestätigung/i, fr: /attestation/i, es: /atestaci/i, ar: /إقرار/, he: /הצהר/ } },
  {
    term: /\brisk class/i,
    in: {
      de: /risikoklasse/i,
      fr: /classes? de risque/i,
      es: /clases? de riesgo/i,
      ar: /فئ(?:ة|ات) (?:ال)?مخاطر/,
      he: /סיווגי? (?:ה)?סיכון/,
    },
  },
  {
    term: /\bimpact assessments?\b/i,
    in: {
      de: /folgenabschätzung/i,
      fr: /analyses? d’impact/i,
      es: /evaluaci(?:ón|ones) de impacto/i,
      ar: /تقييم/,
      he: /הערכ(?:ת|ות) (?:ה)?השפעה/,
    },
  },
  { term: /\bviolations?\b/i, in: { de: /verst[oö]ß/i, fr: /manquement/i, es: /infracci/i, ar: /مخالف/, he: /הפר/ } },
];

/** Words that a better one has replaced; in a translation, a second one for a term that has one already. */
const BANNED: Record<Language, RegExp> = {
  en: /\b(?:anew|go(?:es)? on|any more|by (?:itself|themselves)|(?:some|any|every)body|one a line|oops)\b/i,
  de: /KI-Begründung|Prüfsumme|Enthaltensein|gebaut auf|\bgenehmig|Audit-Protokoll|Arbeitsabl[aä]uf|Fassung [\d{]/i,
  // A name in code keeps its English: a scope, an address, a member of a message.
  fr: /(?<!sous |\/)\bworkflows?\b(?!:)/i,
  es: /(?<!como |\/)\bworkflows?\b(?!:)/i,
  ar: /(?<!\p{L})سير ال?عمل(?! كما)/u,
  he: /זרימת עבודה|מרחב עבודה/,
};

/** Without the places of values, whose names are English in every language. */
const words = (text: string) => text.replace(/\{\{.*?\}\}/g, '');
const every = (language: Language) =>
  [...textsOf(language)].flatMap(([namespace, texts]) => [...texts].map(([key, text]) => ({ namespace, key, text: words(text) })));
/** Forms of few things may leave out the counted word. */
const SMALL_FORM = /_(?:zero|one|two)$/;

describe.each(LANGUAGES)('the words of %s', (language) => {
  it('are none that another has replaced', () => {
    expect(
      every(language)
        .filter(({ text }) => BANNED[language].test(text))
        .map(({ namespace, key }) => `${namespace}:${key}`),
    ).toEqual([]);
  });
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the terms of %s', (language) => {
  const texts = textsOf(language);
  it.each(TERMS)('have one translation for $term', ({ term, in: translations }) => {
    const used = every('en').filter(({ text, key }) => term.test(text) && !SMALL_FORM.test(key));
    expect(used).not.toEqual([]);
    const lacking = used.filter(({ namespace, key }) => {
      const own = texts.get(namespace)?.get(key);
      return own !== undefined && !translations[language].test(words(own));
    });
    expect(lacking.map(({ namespace, key }) => `${namespace}:${key}`)).toEqual([]);
  });
});

it('finds a word that another has replaced', () => {
  expect(['Publish it anew', 'It goes on', 'Somebody decides'].map((text) => BANNED.en.test(text))).toEqual([true, true, true]);
  expect(BANNED.fr.test('le workflow')).toBe(true);
  expect(BANNED.fr.test('la portée workflows:read')).toBe(false);
});
