import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { NewId } from '#app/contracts/ports.ts';
import { type LogFinding, logFindingSchema } from '#app/domain/audit/log-finding.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { adminAddressesSchema, mailsTo } from '#app/engine/audit/admin-addresses.ts';

/** Words the mail that tells of a log which is not what this instance signed. `link` is a full address. */
export type LogAlarmMail = (alarm: { language: Language; workspace: string; finding: LogFinding; link: string }) => {
  subject: string;
  text: string;
};

type QueueDeps = {
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  newId: NewId;
  logAlarmMail: LogAlarmMail;
  /** The address of who operates the instance, where one is set. */
  operatorEmail: string | null;
  origin: string;
};

/** Queues the mails about new findings, to the workspace's admins and the operator. Claiming and queueing commit together. */
export async function queueLogAlarms(deps: QueueDeps): Promise<void> {
  await deps.asApp(async (db) => {
    const { rows } = await sql<{ workspace_id: string; workspace_name: string; finding: Json; admins: Json }>`
      select * from quorate.claim_log_alarms()`.execute(db);
    const deliveries = rows.flatMap((row) => {
      const finding = logFindingSchema.parse(row.finding);
      const link = `${deps.origin}/dashboard/admin/health`;
      const people = adminAddressesSchema.parse(row.admins);
      if (deps.operatorEmail !== null && people.every(({ email }) => email !== deps.operatorEmail))
        people.push({ email: deps.operatorEmail, language: 'en' });
      const mails = mailsTo(people, (language) => deps.logAlarmMail({ language, workspace: row.workspace_name, finding, link }));
      return mails.map((mail) => ({ id: deps.newId(), workspaceId: row.workspace_id, ...mail }));
    });
    if (deliveries.length > 0) await sql`select quorate.queue_deliveries(${JSON.stringify(deliveries)}::jsonb)`.execute(db);
  });
}
