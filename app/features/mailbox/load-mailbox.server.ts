import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { type RouterContextProvider, redirect } from 'react-router';
import { arrivalContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { hostName, isLoopback } from '#app/domain/connections/loopback.ts';
import { AppError } from '#app/domain/errors.ts';
import { readCookie } from '#app/platform/i18n/preference-cookies.server.ts';

const NEWEST = 100;
const COOKIE = 'mailbox';

type Asked = { request: Request; context: Readonly<RouterContextProvider> };
export type CaughtMail = { id: string; to: string; subject: string; text: string; html: string; caughtAt: string };

/**
 * Mails that this instance caught, newest first, for the page. A token in the address becomes a cookie, and the answer a redirect
 * to the address without it, so that it stays in no history. AppError `not_found` as for loadMailboxJson.
 */
export async function loadMailboxPage({ request, context }: Asked): Promise<CaughtMail[]> {
  const named = tokenInAddress(request);
  requireToken(context, named ?? readCookie(request, COOKIE));
  if (named === null) return readMails(context);
  // The path of both addresses: a path of /dev/mailbox would cover neither the JSON nor the page's data.
  const cookie = `${COOKIE}=${named}; Path=/dev; HttpOnly; SameSite=Lax${context.get(clientContext).secure ? '; Secure' : ''}`;
  throw redirect('/dev/mailbox', { status: 303, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } });
}

/**
 * The same for programs, which may also send the token as `Authorization: Bearer`. Whoever reads these mails can confirm accounts and set
 * passwords, so everyone else gets AppError `not_found`, as where there is no mailbox.
 */
export async function loadMailboxJson({ request, context }: Asked): Promise<CaughtMail[]> {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
  requireToken(context, tokenInAddress(request) ?? bearer ?? readCookie(request, COOKIE));
  return readMails(context);
}

const tokenInAddress = (request: Request) => new URL(request.url).searchParams.get('token');

/** A proxy that adds no header looks like a person at this machine: without the token it would show the mails to everyone. */
function requireToken(context: Readonly<RouterContextProvider>, offered: string | null): void {
  const { mailboxToken } = context.get(servicesContext);
  const { host, socketAddress, forwarded } = context.get(arrivalContext);
  const here = !forwarded && isLoopback(hostName(host)) && isLoopback(socketAddress);
  if (!here || !mailboxToken || offered === null || !timingSafeEqual(digest(offered), digest(mailboxToken)))
    throw new AppError('not_found');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

async function readMails(context: Readonly<RouterContextProvider>): Promise<CaughtMail[]> {
  const { access } = context.get(servicesContext);
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
