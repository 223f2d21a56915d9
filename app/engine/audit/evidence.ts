import { type Selectable, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { LogSigner } from '#app/contracts/ports.ts';
import type { AuditEventsTable } from '#app/contracts/tables.ts';
import { type AuditBody, hex } from '#app/domain/audit/audit-leaf.ts';
import { checkpointOrigin, vkey } from '#app/domain/audit/checkpoint.ts';
import { consistencyParts, hashPart, inclusionParts, type ProofPart } from '#app/domain/audit/merkle.ts';
import { LOG_FILE_ENTRIES } from '#app/domain/control/evidence-export.ts';
import { AppError } from '#app/domain/errors.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { auditBodyOf } from '#app/engine/audit/audit-body.ts';
import { journalRecords } from '#app/engine/audit/journal-hash.ts';
import { readNodes } from '#app/engine/audit/read-nodes.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { readBreakGlass } from '#app/engine/control/break-glass.ts';
import { readSignatures, watchedSizes } from '#app/engine/proof/read-signatures.ts';

/** Checkpoints that already left the instance and are named in a bundle at most, so that a receiver finds theirs in it. */
const DELIVERED_CHECKPOINTS = 30;

const GLASS_ACTIONS = ['breakGlass.started', 'breakGlass.ended'] as const;

/** One event with the proof that it is in the tree of the newest checkpoint. Hashes are hex, from the leaf upwards. */
export type EvidenceEvent = {
  id: string;
  workspace: string;
  /** UTC, ISO 8601, milliseconds. */
  at: string;
  /** Null, as the salt: erased. */
  body: AuditBody | null;
  salt: string | null;
  bodyDigest: string;
  leafIndex: number;
  inclusion: string[];
};
/** The file that `npm run verify` reads. The same log always gives the same bytes; it holds no secret and no key but the public one. */
export type Evidence = {
  format: 'quorate-evidence/1';
  subject: { kind: 'event' | 'run' | 'log' | 'pack'; id: string };
  /** `successions`: from the first key to this one, where it is not the first. */
  log: { origin: string; key: string; successions?: readonly string[] };
  /**
   * By size; the last is the newest. `consistency`: proof from this one to the newest; `note` ends with the lines of witnesses, `stamp` is an
   * authority's answer (RFC 3161, base64).
   */
  checkpoints: { size: number; note: string; consistency: string[]; stamp?: string }[];
  events: EvidenceEvent[];
  /** Of a stretch of the log: every event from `from` up to, not including, `to`. `of`: size of the log, where the stretch is a part of it. */
  range?: { from: number; to: number; of?: number };
  /**
   * `number` and `subject` tell people which run it is. No leaf holds them: a subject stands where inputs stand, so that it can be erased, and the
   * verifier reads neither.
   */
  run?: {
    id: string;
    number: number;
    subject: string | null;
    records: { record: { [key: string]: Json }; contents: { input?: Json; output?: Json } }[];
  };
};
/** The log's key, as evidence names it. */
export type LogIdentity = Pick<LogSigner, 'name' | 'publicKey' | 'successions'>;
type EventRow = Selectable<AuditEventsTable>;

/** Evidence of one event that the caller may read. `not_found`; `unavailable` while it waits for its place (under a second). */
export async function evidenceOfEvent(db: Db, log: LogIdentity, id: string): Promise<Evidence> {
  const row = await db.selectFrom('quorate.audit_events').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return await bundle(db, log, await newestCheckpoint(db, row.workspace_id), { kind: 'event', id }, [row]);
}

/** Evidence of a run: its events, those of its approvals and of break-glass that ran meanwhile, and its journal. */
export async function evidenceOfRun(db: Db, log: LogIdentity, runId: string): Promise<Evidence> {
  const run = await db
    .selectFrom('quorate.runs')
    .select(['workspace_id', 'number', 'subject', 'created_at', 'finished_at'])
    .where('id', '=', runId)
    .executeTakeFirst();
  if (run === undefined) throw new AppError('not_found');
  const glass = await readBreakGlass(db, run.created_at, run.finished_at);
  const approvals = await db.selectFrom('quorate.approvals').select('id').where('run_id', '=', runId).execute();
  const rows = await db
    .selectFrom('quorate.audit_events')
    .selectAll()
    .where('workspace_id', '=', run.workspace_id)
    .where((eb) =>
      eb.or([
        eb.and([eb('resource_kind', '=', 'run'), eb('resource_id', '=', runId)]),
        ...(glass.length === 0
          ? []
          : [eb.and([eb('action', 'in', [...GLASS_ACTIONS]), sql<boolean>`payload ->> 'change' = any(${glass}::text[])`])]),
        ...(approvals.length === 0
          ? []
          : [
              eb.and([
                eb('resource_kind', '=', 'approval'),
                eb(
                  'resource_id',
                  'in',
                  approvals.map((row) => row.id),
                ),
              ]),
            ]),
      ]),
    )
    .orderBy('leaf_index')
    .execute();
  const steps = await db.selectFrom('quorate.steps').selectAll().where('run_id', '=', runId).execute();
  const decisions = await db.selectFrom('quorate.decisions').selectAll().where('run_id', '=', runId).execute();
  const records = journalRecords(steps, decisions).map(({ record, contents }) => ({ record, contents }));
  const newest = await newestCheckpoint(db, run.workspace_id);
  return {
    ...(await bundle(db, log, newest, { kind: 'run', id: runId }, rows)),
    run: { id: runId, number: run.number, subject: plainSubject(readSubject(run.subject)), records },
  };
}

/**
 * Evidence of a stretch of the log, so that a dropped event shows. At most LOG_FILE_ENTRIES from `from` to `until`, which is the last one
 * included, and no further than the newest checkpoint.
 */
export async function evidenceOfLog(
  db: Db,
  log: LogIdentity,
  workspaceId: string,
  { from = 0, until = Number.MAX_SAFE_INTEGER }: { from?: number; until?: number } = {},
): Promise<Evidence> {
  const newest = await newestCheckpoint(db, workspaceId);
  const to = Math.min(newest.size, from + LOG_FILE_ENTRIES, until + 1);
  if (from >= to) throw new AppError('not_found');
  const rows = await db
    .selectFrom('quorate.audit_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', to)
    .orderBy('leaf_index')
    .execute();
  return {
    ...(await bundle(db, log, newest, { kind: 'log', id: checkpointOrigin(log.name, workspaceId) }, rows)),
    range: { from, to, ...(from === 0 && to === newest.size ? {} : { of: newest.size }) },
  };
}

/** Evidence of these entries of one log, each once, up to its newest checkpoint. Of a pack there may be none. */
export async function evidenceOfPack(
  db: Db,
  log: LogIdentity,
  workspaceId: string,
  pack: { id: string; entries: string[] },
): Promise<Evidence> {
  const rows =
    pack.entries.length === 0
      ? []
      : await db
          .selectFrom('quorate.audit_events')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', pack.entries)
          .orderBy('leaf_index')
          .execute();
  return await bundle(db, log, await newestCheckpoint(db, workspaceId), { kind: 'pack', id: pack.id }, rows);
}

async function bundle(
  db: Db,
  log: LogIdentity,
  newest: Checkpoint,
  subject: Evidence['subject'],
  wanted: readonly EventRow[],
): Promise<Evidence> {
  const workspaceId = newest.workspace_id;
  const rows = [...wanted, ...(await erasuresOf(db, wanted))];
  // Read committed: a batch may have been placed since the rows were read, never the other way round.
  const placed = rows.filter(
    (row): row is PlacedRow => row.leaf_index !== null && row.leaf_index < newest.size && row.body_digest !== null,
  );
  if (placed.length === 0 && subject.kind !== 'pack') throw new AppError('unavailable');
  const earlier = await earlierCheckpoints(db, workspaceId, newest.size, Math.min(newest.size, ...placed.map((row) => row.leaf_index)));

  const signed = await readSignatures(db, workspaceId, [...earlier, newest]);

  const inclusions = placed.map((row) => inclusionParts(row.leaf_index, newest.size));
  const consistencies = earlier.map((row) => consistencyParts(row.size, newest.size));
  const lookup = await readNodes(db, workspaceId, [...inclusions, ...consistencies].flat(2));
  const proof = (parts: ProofPart[]) => parts.map((part) => hex(hashPart(sha256, part, lookup)));

  return {
    format: 'quorate-evidence/1',
    subject,
    log: {
      origin: checkpointOrigin(log.name, workspaceId),
      key: vkey(log.name, log.publicKey, sha256),
      ...(log.successions.length > 0 && { successions: log.successions }),
    },
    checkpoints: [
      ...earlier.map((row, n) => ({ size: row.size, ...signed(row), consistency: proof(consistencies[n] ?? []) })),
      { size: newest.size, ...signed(newest), consistency: [] },
    ],
    events: placed.map((row, n) => evidenceEvent(row, proof(inclusions[n] ?? []))),
  };
}

/** The entries that name the erasures of these, where they are not among them. */
async function erasuresOf(db: Db, rows: readonly EventRow[]): Promise<EventRow[]> {
  const erased = rows.filter((row) => row.salt === null).flatMap((row) => row.leaf_index ?? []);
  const [first] = rows;
  if (first === undefined || erased.length === 0) return [];
  const erasures = await db
    .selectFrom('quorate.audit_events')
    .selectAll()
    .where('workspace_id', '=', first.workspace_id)
    .where('action', '=', 'account.deleted')
    .where('leaf_index', '>', Math.min(...erased))
    .where(
      sql<boolean>`exists (select from jsonb_array_elements(case when jsonb_typeof(payload -> 'erased') = 'array' then payload -> 'erased' else '[]' end) as s
        join unnest(${erased}::bigint[]) as e (place) on (s ->> 0)::bigint <= e.place and e.place < (s ->> 1)::bigint)`,
    )
    .orderBy('leaf_index')
    .execute();
  const present = new Set(rows.map((row) => row.id));
  return erasures.filter((row) => !present.has(row.id));
}

type PlacedRow = EventRow & { leaf_index: number; body_digest: Uint8Array };

function evidenceEvent(row: PlacedRow, inclusion: string[]): EvidenceEvent {
  return {
    id: row.id,
    workspace: row.workspace_id,
    at: row.at.toISOString(),
    body: row.salt === null ? null : auditBodyOf(row),
    salt: row.salt === null ? null : hex(row.salt),
    bodyDigest: hex(row.body_digest),
    leafIndex: row.leaf_index,
    inclusion,
  };
}

type Checkpoint = { workspace_id: string; size: number; note: string };

async function newestCheckpoint(db: Db, workspaceId: string): Promise<Checkpoint> {
  const row = await db
    .selectFrom('quorate.checkpoints')
    .select(['workspace_id', 'size', 'note'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('unavailable');
  return row;
}

/** Checkpoints that someone outside may hold or has signed, and the one that first covered the earliest event: it dates the event. */
async function earlierCheckpoints(
  db: Db,
  workspaceId: string,
  newest: number,
  earliestLeaf: number,
): Promise<{ size: number; note: string }[]> {
  const before = db
    .selectFrom('quorate.checkpoints')
    .select(['size', 'note'])
    .where('workspace_id', '=', workspaceId)
    .where('size', '<', newest);
  const delivered = await before.where('delivered_at', 'is not', null).orderBy('size', 'desc').limit(DELIVERED_CHECKPOINTS).execute();
  const first = await before.where('size', '>', earliestLeaf).orderBy('size').limit(1).execute();
  const watched = await before.where('size', 'in', await watchedSizes(db, workspaceId, earliestLeaf)).execute();
  return [...new Map([...delivered, ...first, ...watched].map((row) => [row.size, row])).values()].sort((a, b) => a.size - b.size);
}
