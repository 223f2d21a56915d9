import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type CaughtMail = { to: string; subject: string; text: string };

/** The token that the mailbox of the instance with this data directory asks for. */
export function mailboxToken(dataDirectory: string): string {
  return readFileSync(join(dataDirectory, 'mailbox-token'), 'utf8').trim();
}

/** What a running instance has caught, newest first. Throws when its mailbox does not open. */
export async function caughtMails({ origin, dataDirectory }: { origin: string; dataDirectory: string }): Promise<CaughtMail[]> {
  const response = await fetch(`${origin}/dev/mailbox.json`, { headers: { authorization: `Bearer ${mailboxToken(dataDirectory)}` } });
  if (!response.ok) throw new Error(`the mailbox answered ${response.status}`);
  return (await response.json()) as CaughtMail[];
}
