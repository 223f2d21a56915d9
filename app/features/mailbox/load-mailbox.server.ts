import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { AppError } from '#app/domain/errors.ts';
import { hostName, isLoopback } from '#app/domain/loopback.ts';
import { arrivalContext, servicesContext } from '#app/request-context.ts';

const NEWEST = 100;

export type CaughtMail = { id: string; to: string; subject: string; text: string; html: string; caughtAt: string };

/**
 * Mails that this instance caught, newest first. For a person at this very machine alone: whoever reads them can confirm
 * accounts and set passwords. Not found for everyone else, so that a stranger learns nothing (design, section 8).
 */
export async function loadMailbox(context: Readonly<RouterContextProvider>): Promise<CaughtMail[]> {
  const { mailboxOpen, access } = context.get(servicesContext);
  const { host, socketAddress, forwarded } = context.get(arrivalContext);
  if (!mailboxOpen || forwarded || !isLoopback(hostName(host)) || !isLoopback(socketAddress)) throw new AppError('not_found');
  type Row = { id: string; recipient: string; subject: string; text_body: string; html_body: string; caught_at: Date };
  const { rows } = await access.asNobody((db) => sql<Row>`select * from quorate.list_caught_mails(${NEWEST}::int)`.execute(db));
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    caughtAt: row.caught_at.toISOString(),
  }));
}
