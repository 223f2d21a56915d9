import { z } from 'zod';
import { valueCutter } from '#app/components/value/shown-value.ts';
import type { Json } from '#app/contracts/json.ts';
import { releaseSubjectSchema } from '#app/domain/audit/release-subject.ts';
import { readRows } from '#app/domain/runs/facts/fact-rows.ts';
import { outcomeSchema } from '#app/features/approvals/action-subject.server.ts';

const named = z.looseObject({
  name: z.string(),
  slug: z.string().optional(),
  kind: z.string().optional(),
  fingerprint: z.string().optional(),
});
const subjectSchema = z.looseObject({
  connection: named.nullish(),
  capability: named.nullish(),
  input: z.record(z.string(), z.json()).nullish(),
  outcome: outcomeSchema.optional(),
});
const questionSchema = z.object({ question: z.string(), show: z.record(z.string(), z.json()).default({}) });

/** The halt that an approval would lift; null for a step. */
export function readRelease(subject: Json) {
  const read = releaseSubjectSchema.safeParse(subject);
  return read.success ? read.data : null;
}

/** A page lists no more fields, and no longer names: the whole action has them. */
const MAX_FIELDS = 100;
const MAX_FIELD_NAME = 200;

/** The fields of the subject that have a place on the screen; an unknown subject is shown as it is. */
export function readSubject(subject: Json) {
  const read = subjectSchema.safeParse(subject);
  const { connection, capability, input } = read.success ? read.data : {};
  const asked = questionSchema.safeParse(input);
  const question = capability == null && asked.success ? asked.data.question : null;
  const shown = question !== null && asked.success ? asked.data.show : (input ?? {});
  const values = valueCutter();
  const members = Object.entries(shown);
  const fields = members.slice(0, MAX_FIELDS).map(([name, value]) => {
    const isText = typeof value === 'string';
    return {
      name: name.slice(0, MAX_FIELD_NAME),
      isText,
      value: isText ? values.text(value) : values.json(value as Json),
      rows: readRows(value as Json),
    };
  });
  return {
    subject: values.json(subject),
    release: readRelease(subject),
    /** The known facts about the call, where the question is its outcome. */
    outcome: read.success ? (read.data.outcome ?? null) : null,
    connection: connection ? { name: connection.name, slug: connection.slug ?? '', kind: connection.kind ?? '' } : null,
    capability: capability ? { name: capability.name, fingerprint: capability.fingerprint ?? '' } : null,
    /** The question of an approval step; null where a call waits. */
    question,
    input: fields,
    /** Fields that only the whole action shows. */
    moreFields: members.length - fields.length,
  };
}
