import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Log, LogMarks, LogSigner, NewId } from '#app/contracts/ports.ts';
import { type LogFinding, logFindingSchema } from '#app/domain/audit/log-finding.ts';
import { checkHead, checkStretch } from '#app/engine/audit/check-log.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';

/** Entries of one transaction of a whole audit (2^8) and of one sample (2^6). */
const WHOLE_LEVEL = 8;
const SAMPLE_LEVEL = 6;
/** Each log is looked at this often, while there are not too many of them for the share below. */
const EVERY = '1 minute';
const LEASE = '5 minutes';
/** Between two looks for something due. */
const IDLE_MS = 2_000;
/** Auditing takes a twentieth of its thread's time at most: after each piece of work it rests this many times as long. */
const REST_FACTOR = 19;
const LONGEST_PAUSE_MS = 60_000;

export type SelfAuditDeps = {
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  signer: LogSigner;
  marks: Pick<LogMarks, 'read' | 'advance'>;
  newId: NewId;
  /** When this process started: complete audits older than this are made again. */
  startedAt: Date;
  /** In [0, 1). */
  random(): number;
  log: Log;
};

type Due = { workspace_id: string; whole_from: number | null; finding: Json };

/**
 * Compares the logs with what was signed, again and again until stopped: each minute the head and a sample, after each start and by night
 * everything. The state stands in the database, so that another process continues where one ended. Whoever starts several shares the work.
 */
export function startSelfAudit(deps: SelfAuditDeps): { stop(): Promise<void> } {
  return repeat({
    async work() {
      const began = performance.now();
      return (await auditNext(deps)) ? (performance.now() - began) * REST_FACTOR : IDLE_MS;
    },
    failed(error, failures) {
      deps.log.error('self-audit: a log could not be audited', { error, failures });
      return Math.min(LONGEST_PAUSE_MS, IDLE_MS * 2 ** failures);
    },
  });
}

/** One piece of the audit that is due longest. False: none is due. */
export async function auditNext(deps: SelfAuditDeps): Promise<boolean> {
  const { rows } = await deps.asApp((db) =>
    sql<Due>`select * from quorate.claim_log_audit(${deps.startedAt}, ${LEASE}::interval)`.execute(db),
  );
  const [due] = rows;
  if (due === undefined) return false;
  const known = logFindingSchema.nullable().catch(null).parse(due.finding);
  const { finding, wholeFrom, ended } = await auditPiece(deps, due, known);
  if (finding !== null && finding.code !== known?.code)
    deps.log.error('self-audit: a log is not what this instance signed', {
      workspace: due.workspace_id,
      code: finding.code,
      ...finding.values,
    });
  const next = wholeFrom === null ? EVERY : '0 seconds';
  await deps.asApp((db) =>
    sql`select quorate.settle_log_audit(${due.workspace_id}::uuid, ${finding === null ? null : JSON.stringify(finding)}::jsonb, ${wholeFrom}::bigint, ${ended}::boolean, ${next}::interval)`.execute(
      db,
    ),
  );
  return true;
}

async function auditPiece(
  deps: SelfAuditDeps,
  { workspace_id: id, whole_from: from }: Due,
  known: LogFinding | null,
): Promise<{ finding: LogFinding | null; wholeFrom: number | null; ended: boolean }> {
  const mark = await deps.marks.read(id);
  const found = await deps.asWorker(id, async (db) => {
    const { size, finding: wrong } = await checkHead(db, id, deps.signer, mark);
    const check = (level: number, place: number) =>
      checkStretch(db, id, deps.signer, { level, index: Math.floor(place / 2 ** level), size });
    // While the head is wrong no entry can be held against it; a whole audit under way waits.
    if (wrong !== null) return { finding: wrong, wholeFrom: null, ended: false };
    // An entry that was found wrong is looked at until it is right again.
    const index = Number(known?.values.index ?? known?.values.size ?? 0);
    const still = known === null || index > size || size === 0 ? null : await check(SAMPLE_LEVEL, Math.min(index, size - 1));
    if (from !== null) {
      const finding = still ?? (from < size ? await check(WHOLE_LEVEL, from) : null);
      const next = from + 2 ** WHOLE_LEVEL;
      const ended = finding === null && next >= size;
      return { finding, wholeFrom: ended || finding !== null ? null : next, ended };
    }
    const place = Math.floor(deps.random() * size);
    return { finding: still ?? (size === 0 ? null : await check(SAMPLE_LEVEL, place)), wholeFrom: null, ended: false };
  });
  if (found.finding === null && deps.signer.older.length > 0) await signUnderNewKey(deps, id);
  return found;
}

/** A log in which nothing happens would keep a head of the key before: this makes the entry that the key has changed, once. */
async function signUnderNewKey(deps: SelfAuditDeps, id: string): Promise<void> {
  const mark = await deps.marks.read(id);
  if (mark?.accepted) return;
  const { note } = await deps.asWorker(id, (db) => placeEvents(db, id, deps.signer, mark, deps.newId));
  if (note !== null) deps.marks.advance(id, note);
}
