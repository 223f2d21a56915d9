import { z } from 'zod';
import { RISKS } from '#app/contracts/statuses.ts';
import { CONTROLS, REGIONS, SECTORS } from '#app/domain/audit/compliance.ts';
import { PERSONAL_DATA_KINDS } from '#app/engine/personal-data/find-personal-data.ts';

const text = z.string().min(1);

/** A word or phrase in lower case; `*` at its end stands for any ending, and `@vendor` for all terms of the file's group `vendor`. */
const term = text.refine((value) => value === value.toLowerCase() && value === value.trim());

/**
 * One duty of a law or standard and the words that bring it up. It applies to a passage in which every group of `when`
 * has a match. `contains` asks for personal data of one of these kinds in the passage, in place of words.
 */
const obligationSchema = z.strictObject({
  id: text,
  /** As it is cited: 'Article 33(1)'. */
  article: text,
  title: text,
  /** The duty, in one sentence. */
  duty: z.string().regex(/^\p{Lu}.{30,320}\.$/u),
  severity: z.enum(RISKS),
  when: z.array(z.array(term).min(1)).min(1),
  contains: z.array(z.enum(PERSONAL_DATA_KINDS)).min(1).optional(),
});

/** A law or standard by its official name, and which of our controls answer which of its provisions. */
const lawSchema = z.strictObject({
  id: text,
  name: text,
  citation: text,
  region: z.enum(REGIONS),
  kind: z.enum(['law', 'standard']),
  sectors: z.union([z.literal('all'), z.array(z.enum(SECTORS)).min(1)]),
  controls: z.array(z.strictObject({ control: z.enum(CONTROLS), provision: text })).min(1),
  /** Obligations that the Compliance Copilot looks for; with a name and a citation of its own where it words them otherwise. */
  copilot: z.strictObject({ name: text.optional(), citation: text.optional(), obligations: z.array(obligationSchema).min(1) }).optional(),
});

const day = z.string().regex(/^\d{4}-\d{2}(-\d{2})?$/);

const datesSchema = z.strictObject({
  inForce: day.optional(),
  applies: z.array(z.strictObject({ part: text.optional(), from: day })),
  supersededBy: z.strictObject({ name: text, law: text.optional(), on: day }).optional(),
  draftOf: day.optional(),
  amendedBy: text.optional(),
  /** Said by the law itself to lie outside it; the words are in the namespace `compliance`. */
  leavesOut: z.enum(['generativeAndAgentic', 'generativeInCritical']).optional(),
  /** Address of the official text, or of the page of its authority that holds it. */
  source: z.url(),
  /** The day on which these dates were last compared with what legislators and authorities publish; absent: they were not. */
  checked: day.optional(),
});

const fileSchema = z.strictObject({ terms: z.record(z.string(), z.array(term)), laws: z.array(lawSchema) });

export type Obligation = z.output<typeof obligationSchema>;

type File = z.output<typeof fileSchema>;
export type Catalogue = Omit<File, 'laws'> & { laws: (File['laws'][number] & { dates: z.output<typeof datesSchema> })[] };

let loaded: Promise<Catalogue> | undefined;

/**
 * The laws and standards of `laws.json` in the order in which they are shown, each with its dates from `law-dates.json`, and the terms that
 * several share. Read with the first use; throws where one has no dates.
 */
export function loadLaws(): Promise<Catalogue> {
  loaded ??= readFiles();
  return loaded;
}

async function readFiles(): Promise<Catalogue> {
  const [file, dates] = await Promise.all([
    import('#app/engine/compliance/laws.json', { with: { type: 'json' } }),
    import('#app/engine/compliance/law-dates.json', { with: { type: 'json' } }),
  ]);
  const { terms, laws } = fileSchema.parse(file.default);
  const dated = z.record(z.string(), datesSchema).parse(dates.default);
  return { terms, laws: laws.map((law) => ({ ...law, dates: datesSchema.parse(dated[law.id]) })) };
}
