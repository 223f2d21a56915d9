import { z } from 'zod';

// Apart from the words and names of exports, which pages without a form show: only servers read them, and Zod stays with the server.

/** Lists whose rows show what everybody in the workspace did. */
const EVIDENCE_LISTS = ['audit', 'runs', 'decisions'] as const;
export type EvidenceList = (typeof EVIDENCE_LISTS)[number];

/** Entries that one question about the log covers at most. */
const MOST_ENTRIES = 10_000_000;

const day = z.iso.date();
const place = z.int().min(0).max(1e15);
const pack = z.strictObject({
  kind: z.literal('pack'),
  framework: z.string().regex(/^[a-z0-9.-]{1,64}$/),
  from: day,
  until: day,
  seed: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/),
});
/** Places in the log, the last one included. */
const log = z.strictObject({ kind: z.literal('log'), from: place, until: place });
/** `filter`: the query of its address. */
const table = z.strictObject({ kind: z.literal('table'), list: z.enum(EVIDENCE_LISTS), filter: z.string().max(3000) });

/** An export as its question names it. */
export const evidenceExportSchema = z
  .discriminatedUnion('kind', [pack, log, table])
  .refine((value) => value.kind !== 'log' || (value.until >= value.from && value.until - value.from < MOST_ENTRIES));
export type EvidenceExport = z.infer<typeof evidenceExportSchema>;

const by = z.string();
/** The same in the subject of a control change. `by`: who takes it out. */
export const askedExportSchema = z.discriminatedUnion('kind', [pack.extend({ by }), log.extend({ by }), table.extend({ by })]);
export type AskedExport = z.infer<typeof askedExportSchema>;

/** The export that such a query names; null where it names none that can be used. The language of the page may stand in it, too. */
export function readExportQuery(params: URLSearchParams): EvidenceExport | null {
  const { from, until, lng: _, ...rest } = Object.fromEntries(params);
  const places = params.get('kind') === 'log';
  const given = {
    ...rest,
    ...(from !== undefined && { from: places ? Number(from) : from }),
    ...(until !== undefined && { until: places ? Number(until) : until }),
  };
  return evidenceExportSchema.safeParse(given).data ?? null;
}
