import { z } from 'zod';
import { FALLBACK_LANGUAGE, type Language } from '#app/domain/web/languages.ts';
import type { Catalogue } from '#app/engine/compliance/laws.ts';

type Law = Catalogue['laws'][number];

const namedSchema = z.strictObject({ name: z.string().min(1), citation: z.string().min(1) });
const wordsSchema = z.strictObject({
  /** In the place of the English ones, the longer before those that they begin with. */
  words: z.record(z.string(), z.string()),
  /** Between the number of an article, its paragraph and its point; null: `14(4)(e)` as it is. */
  place: z.strictObject({ paragraph: z.string(), point: z.string(), afterPoint: z.string() }).nullable(),
  list: z.strictObject({ and: z.string(), to: z.string(), comma: z.string() }),
  /** Official names alone: a law without one in this language keeps its own. */
  laws: z.record(z.string(), namedSchema),
});
type Words = z.output<typeof wordsSchema>;

let loaded: Promise<Partial<Record<Language, Words>>> | undefined;

/** Says laws and their articles in a language. Standards and laws of countries that legislate in English keep their words. */
export type LawWords = {
  law: <Of extends Pick<Law, 'id' | 'name' | 'citation' | 'region' | 'controls' | 'dates'>>(law: Of) => Of;
  /** An article of this law, and a list of such: `Article 14(4)(e)`. */
  provision: (law: Pick<Law, 'region'>, text: string) => string;
  /** The name of a law and one of its articles in one line, as the English list of laws has both: `GDPR, Article 33(1)`. */
  cited: (law: Pick<Law, 'id' | 'name' | 'region'>, text: string) => string;
};

/** Countries and unions whose laws are not cited in English by those who read another language. */
const TRANSLATED: readonly Law['region'][] = ['EU', 'CH', 'CN', 'JP', 'SA'];
/** Where a law of the country is official in a language besides English, or read by its own readers. */
const OWN: Partial<Record<Language, Law['region']>> = { fr: 'CA', he: 'IL' };

/** The names of `law-names.json` and the words for articles. Read with the first use. */
export async function loadLawWords(language: Language): Promise<LawWords> {
  loaded ??= import('#app/engine/compliance/law-names.json', { with: { type: 'json' } }).then(({ default: file }) =>
    z.partialRecord(z.enum(['es', 'fr', 'de', 'ar', 'he']), wordsSchema).parse(file),
  );
  const words = language === FALLBACK_LANGUAGE ? undefined : (await loaded)[language];
  if (words === undefined) return { law: (law) => law, provision: (_law, text) => text, cited: (_law, text) => text };
  const isSaid = ({ region }: Pick<Law, 'region'>) => TRANSLATED.includes(region) || OWN[language] === region;
  const provision: LawWords['provision'] = (law, text) => (isSaid(law) ? begun(cite(text, words)) : text);
  return {
    provision,
    cited: (law, text) => {
      const name = `${law.name}, `;
      if (!text.startsWith(name) || !isSaid(law)) return text;
      return `${words.laws[law.id]?.name ?? law.name}${words.list.comma}${cite(text.slice(name.length), words)}`;
    },
    law: (law) => ({
      ...law,
      ...words.laws[law.id],
      controls: law.controls.map((one) => ({ ...one, provision: provision(law, one.provision) })),
      dates: {
        ...law.dates,
        applies: law.dates.applies.map(({ part, from }) => (part === undefined ? { from } : { part: provision(law, part), from })),
        ...(law.dates.amendedBy === undefined ? {} : { amendedBy: provision(law, law.dates.amendedBy) }),
        ...(law.dates.supersededBy === undefined
          ? {}
          : { supersededBy: { ...law.dates.supersededBy, name: provision(law, law.dates.supersededBy.name) } }),
      },
    }),
  };
}

const PLACE = /(\d+[a-z]?)\((\d+)\)(?:\(([a-z])\))?/g;
/** Keep the brackets of a place in their order between letters that are written from the right. */
const [ISOLATE, END] = ['\u2066', '\u2069'];

function cite(text: string, { words, place, list }: Words): string {
  let said = text;
  for (const [english, own] of Object.entries(words)) said = said.replaceAll(english, own);
  said = said
    .replace(/(?<=[\d)a-z]) and (?=\S)/g, list.and)
    .replace(/(?<=\d) to (?=\d)/g, list.to)
    .replace(/(?<=\d), (?=\d)/g, list.comma);
  return said.replace(PLACE, (whole, article: string, paragraph: string, point: string | undefined) => {
    if (place === null) return `${ISOLATE}${whole}${END}`;
    return `${article}${place.paragraph}${paragraph}${point === undefined ? '' : `${place.point}${point}${place.afterPoint}`}`;
  });
}

const begun = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
