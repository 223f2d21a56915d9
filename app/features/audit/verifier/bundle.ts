import { type Bytes, fromBase64, fromHex } from '#app/features/audit/verifier/bytes.ts';
import { hashes, list, record, string, whole } from '#app/features/audit/verifier/read-value.ts';
import type { Subject } from '#app/features/audit/verifier/report.ts';

export const EVIDENCE_FORMAT = 'quorate-evidence/1';

/** Events of one bundle. */
export const MOST_EVENTS = 1_000_000;

export type EventClaim = {
  id: string;
  workspace: string;
  at: string;
  leafIndex: number;
  bodyDigest: string;
  inclusion: Bytes[];
  /** Null: erased. */
  body: unknown;
  salt: Bytes | null;
  action: string;
  resource: string;
  payload: Record<string, unknown> | null;
};
export type RunClaim = { id: string; records: { name: string; record: Record<string, unknown>; contents: Record<string, unknown> }[] };
/** From `from` up to, not including, `to`. `of`: entries of the whole log, where the file says that it is a part of it. */
export type RangeClaim = { from: number; to: number; of: number | null };
export type Bundle = {
  subject: Subject;
  origin: string;
  key: string;
  /** Notes by which one key of the log follows another, from the first on. */
  successions: string[];
  checkpoints: { note: string; consistency: Bytes[]; stamp: Bytes | null }[];
  events: EventClaim[];
  range: RangeClaim | null;
  run: RunClaim | null;
  /** Of an evidence pack its population and samples, as they came. */
  pack: Record<string, unknown> | null;
};

/** Reads the bundle: it comes from anywhere, so nothing about its form is believed. @throws where it is none */
export function readBundle(value: unknown): Bundle {
  const bundle = record(value, 'the file');
  if (bundle.format !== EVIDENCE_FORMAT) throw new Error(`format: not ${EVIDENCE_FORMAT}`);
  const log = record(bundle.log, 'log');
  const range = bundle.range === undefined || bundle.range === null ? null : record(bundle.range, 'range');
  const run = bundle.run === undefined || bundle.run === null ? null : record(bundle.run, 'run');
  const read: Bundle = {
    subject: readSubject(record(bundle.subject, 'subject')),
    origin: string(log.origin, 'log.origin'),
    key: string(log.key, 'log.key'),
    successions: list(log.successions ?? [], 'log.successions').map((note, n) => string(note, `log.successions[${n}]`)),
    checkpoints: list(bundle.checkpoints, 'checkpoints').map((item, n) => {
      const checkpoint = record(item, `checkpoints[${n}]`);
      return {
        note: string(checkpoint.note, `checkpoints[${n}].note`),
        consistency: hashes(checkpoint.consistency, `checkpoints[${n}].consistency`),
        stamp: checkpoint.stamp == null ? null : fromBase64(string(checkpoint.stamp, `checkpoints[${n}].stamp`)),
      };
    }),
    events: list(bundle.events, 'events').map((item, n) => readEvent(record(item, `events[${n}]`), `events[${n}]`)),
    range:
      range === null
        ? null
        : {
            from: whole(range.from, 'range.from'),
            to: whole(range.to, 'range.to'),
            of: range.of === undefined ? null : whole(range.of, 'range.of'),
          },
    run:
      run === null
        ? null
        : {
            id: string(run.id, 'run.id'),
            records: list(run.records, 'run.records').map((item, n) => readRecord(record(item, `run.records[${n}]`), `run.records[${n}]`)),
          },
    pack: bundle.pack === undefined || bundle.pack === null ? null : record(bundle.pack, 'pack'),
  };
  // Evidence without its subject would prove something else.
  if (read.subject.kind === 'run' && read.run?.id !== read.subject.id) throw new Error('run: missing');
  if ((read.subject.kind === 'pack') !== (read.pack !== null)) throw new Error('pack: missing, or not what the file is about');
  if (read.subject.kind === 'log' && read.range === null) throw new Error('range: missing');
  if (read.subject.kind === 'log' && read.subject.id !== read.origin) throw new Error('subject.id: not the log of the file');
  if (read.subject.kind === 'event' && !read.events.some((event) => event.id === read.subject.id))
    throw new Error('events: the one it is about is missing');
  return read;
}

function readSubject(subject: Record<string, unknown>): Subject {
  const { kind } = subject;
  if (kind !== 'event' && kind !== 'run' && kind !== 'log' && kind !== 'pack') throw new Error('subject.kind: unknown');
  return { kind, id: string(subject.id, 'subject.id') };
}

function readEvent(event: Record<string, unknown>, at: string): EventClaim {
  const body = event.body === null ? null : record(event.body, `${at}.body`);
  const resource = body === null ? null : record(body.resource, `${at}.body.resource`);
  if (body !== null && event.salt === null) throw new Error(`${at}.salt: missing`);
  return {
    id: string(event.id, `${at}.id`),
    workspace: string(event.workspace, `${at}.workspace`),
    at: string(event.at, `${at}.at`),
    leafIndex: whole(event.leafIndex, `${at}.leafIndex`),
    bodyDigest: string(event.bodyDigest, `${at}.bodyDigest`),
    inclusion: hashes(event.inclusion, `${at}.inclusion`),
    body,
    salt: event.salt === null ? null : fromHex(string(event.salt, `${at}.salt`)),
    action: body === null ? '' : string(body.action, `${at}.body.action`),
    resource:
      resource === null ? '' : `${string(resource.kind, `${at}.body.resource.kind`)}/${string(resource.id, `${at}.body.resource.id`)}`,
    payload:
      body === null || typeof body.payload !== 'object' || body.payload === null || Array.isArray(body.payload)
        ? null
        : record(body.payload, `${at}.body.payload`),
  };
}

function readRecord(item: Record<string, unknown>, at: string): RunClaim['records'][number] {
  const claim = record(item.record, `${at}.record`);
  const name =
    claim.record === 'step' ? `step:${string(claim.path, `${at}.record.path`)}` : `decision:${string(claim.id, `${at}.record.id`)}`;
  return { name, record: claim, contents: item.contents === undefined ? {} : record(item.contents, `${at}.contents`) };
}
