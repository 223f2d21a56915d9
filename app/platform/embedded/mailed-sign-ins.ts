/**
 * What the embedded service lacks of sign-in by mail: it would make a confirmed account of any address, confirm one whose password a stranger
 * may have chosen, and let the mail's link and code work as long as those of a recovery, whose place in the database they share.
 */
import type { Sql } from 'postgres';
import type { AuthRequest } from '#app/platform/embedded/auth-messages.ts';

/** How long the service takes one-time codes. */
export const ONE_TIME_CODE_SECONDS = 3_600;
/** As long as the mail says. */
const SIGN_IN_SECONDS = 600;

/** The request as it may reach the service: a mail to sign in makes no account. */
export function withoutNewAccounts(message: AuthRequest): AuthRequest {
  if (message.method !== 'POST' || new URL(message.url).pathname !== '/auth/v1/otp') return message;
  const asked = { email: bodyOf(message).email, create_user: false };
  return { ...message, body: new TextEncoder().encode(JSON.stringify(asked)) };
}

/** True where a link or code would sign in to an account that is not confirmed: a recovery confirms it, with a new password. */
export async function opensUnconfirmed(sql: Sql, message: AuthRequest): Promise<boolean> {
  if (message.method !== 'POST' || new URL(message.url).pathname !== '/auth/v1/verify') return false;
  const { type, token_hash: hash, email } = bodyOf(message);
  if (type !== 'magiclink') return false;
  const found = await sql`
    select from auth.users u where u.email_confirmed_at is null
      and (u.recovery_token = ${typeof hash === 'string' ? hash : ''} or lower(u.email) = ${typeof email === 'string' ? email.toLowerCase() : ''})`;
  return found.length > 0;
}

/**
 * Makes what was just mailed end in ten minutes. False for an account that is not confirmed, to which a mail for a new password has to go
 * instead: the link is good for that.
 */
export async function endSoon(sql: Sql, tokenHash: string): Promise<boolean> {
  const early = `${ONE_TIME_CODE_SECONDS - SIGN_IN_SECONDS} seconds`;
  const ended = await sql`
    update auth.users u set recovery_sent_at = u.recovery_sent_at - ${early}::interval
    where u.recovery_token = ${tokenHash} and u.email_confirmed_at is not null`;
  return ended.count > 0;
}

function bodyOf({ body }: AuthRequest): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body ?? new Uint8Array()));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    // The service refuses what is no JSON.
    return {};
  }
}
