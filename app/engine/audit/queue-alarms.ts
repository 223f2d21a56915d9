import { sql } from 'kysely';
import { type LogFinding, logFindingSchema } from '#app/domain/log-finding.ts';
import type { NewId } from '#app/domain/ports.ts';
import type { Json } from '#app/domain/tables.ts';
import type { Db } from '#app/engine/db.ts';

/** Words the mail that tells of a log which is not what this instance signed. `link` is a full address. */
export type LogAlarmMail = (alarm: { workspace: string; finding: LogFinding; link: string }) => { subject: string; text: string };

type QueueDeps = {
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  newId: NewId;
  logAlarmMail: LogAlarmMail;
  /** The address of who operates the instance, where one is set. */
  operatorEmail: string | null;
  origin: string;
};

/** Queues the mails of findings that nobody was told of yet, to the workspace's admins and the operator. What is claimed and what is queued commit together. */
export async function queueLogAlarms(deps: QueueDeps): Promise<void> {
  await deps.asApp(async (db) => {
    const { rows } = await sql<{ workspace_id: string; workspace_name: string; finding: Json; admins: string[] }>`
      select * from quorate.claim_log_alarms()`.execute(db);
    const deliveries = rows.flatMap((row) => {
      const finding = logFindingSchema.parse(row.finding);
      const mail = deps.logAlarmMail({ workspace: row.workspace_name, finding, link: `${deps.origin}/dashboard/admin/health` });
      const people = new Set([...row.admins, ...(deps.operatorEmail === null ? [] : [deps.operatorEmail])]);
      return [...people].map((target) => ({
        id: deps.newId(),
        workspaceId: row.workspace_id,
        kind: 'mail',
        target,
        subject: mail.subject,
        body: mail.text,
      }));
    });
    if (deliveries.length > 0) await sql`select quorate.queue_deliveries(${JSON.stringify(deliveries)}::jsonb)`.execute(db);
  });
}
