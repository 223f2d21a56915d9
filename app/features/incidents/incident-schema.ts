import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { HARMS, REFERENCE_MAX, REGIMES, REPORT_STEPS, SEVERITIES, TEXT_MAX, TITLE_MAX } from '#app/domain/incidents/incident.ts';
import { readLocalTime } from '#app/domain/workflows/fields/local-time.ts';

const parts = z.object({ local: z.string().max(40).optional(), zone: z.string().max(64).optional() });

/** A moment as a form posts it, in the zone that the form named. */
const moment = parts.transform(({ local, zone }, context) => {
  if (local === undefined) {
    context.addIssue({ code: 'custom', message: message('required'), path: ['local'] });
    return z.NEVER;
  }
  return read(local, zone, context) ?? z.NEVER;
});
const optionalMoment = parts
  .optional()
  .transform((given, context) => (given?.local === undefined ? null : read(given.local, given.zone, context)));

function read(local: string, zone: string | undefined, context: z.RefinementCtx): Date | null {
  const found = readLocalTime({ local, zone: zone ?? '' });
  if ('instant' in found) return new Date(found.instant);
  const text = found.fault === 'skipped' ? message('skippedTime', { zone: zone ?? '' }) : message('dateTime');
  context.addIssue({ code: 'custom', message: text, path: ['local'] });
  return null;
}

const text = z.string().trim().min(1).max(TEXT_MAX);
const assessment = z.object({
  severity: z.enum(SEVERITIES),
  harm: z.enum(HARMS).optional(),
  classified: optionalMoment,
  regimes: z.array(z.enum(REGIMES)).default([]),
});

/** Numbers of runs as people write them, with the comma of their language: '12, #18'. */
const runNumbers = z
  .string()
  .trim()
  .max(400)
  .default('')
  .transform((typed) => typed.split(/[\s,;،؛]+/u).filter((word) => word !== ''))
  .refine((words) => words.every((word) => /^#?\d{1,9}$/u.test(word)), { error: 'incidentRunNumbers' })
  .transform((words) => [...new Set(words.map((word) => Number(word.replace('#', ''))))]);

export const recordSchema = assessment.extend({
  id: z.uuid(),
  title: z.string().trim().min(1).max(TITLE_MAX),
  happened: text,
  noticed: moment,
  runs: runNumbers,
  agents: z.array(z.uuid()).max(100).default([]),
  connections: z.array(z.uuid()).max(100).default([]),
});

export const assessSchema = assessment.extend({ note: text });

/** `report`: regime and report, as `dora.initial`. */
export const reportSchema = z.object({
  report: z
    .templateLiteral([z.enum(REGIMES), '.', z.enum(REPORT_STEPS)])
    .transform((value) => value.split('.') as [(typeof REGIMES)[number], (typeof REPORT_STEPS)[number]]),
  sent: moment,
  reference: z.string().trim().max(REFERENCE_MAX).default(''),
  note: z.string().trim().max(TEXT_MAX).default(''),
});

export const noteSchema = z.object({ note: text });
export const closeSchema = z.object({ rootCause: text });

/** The acts on an incident, each on a page of its own. */
export const INCIDENT_ACTS = ['report', 'assess', 'note', 'close'] as const;
export type IncidentAct = (typeof INCIDENT_ACTS)[number];
