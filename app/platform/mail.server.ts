import { sql } from 'kysely';
import type { Transporter } from 'nodemailer';
import type { Mailer, NewId } from '#app/contracts/ports.ts';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import type { Database } from '#app/platform/database/database.server.ts';

const SMTP_TIMEOUT_MS = 20_000;

/** Sends by SMTP. Errors reach the caller, which tries again later. */
export function createSmtpMailer(smtpUrl: string, origin: string): Mailer {
  const from = `Quorate <no-reply@${new URL(origin).hostname}>`;
  const timeouts = { connectionTimeout: SMTP_TIMEOUT_MS, greetingTimeout: SMTP_TIMEOUT_MS, socketTimeout: SMTP_TIMEOUT_MS };
  // Loaded with the first mail: most instances catch theirs, and a start has two seconds.
  let transport: Promise<Transporter> | undefined;
  const open = () => import('nodemailer').then(({ createTransport }) => createTransport({ url: smtpUrl, ...timeouts }));
  return {
    async send(mail) {
      transport ??= open();
      await (await transport).sendMail({
        from,
        to: mail.to,
        subject: oneLine(mail.subject),
        text: stripBidiControls(mail.text),
        ...(mail.html === undefined ? {} : { html: mail.html }),
      });
    },
  };
}

/** Keeps every mail in the instance's mailbox instead of sending it: the default, where nothing leaves the machine. */
export function createCatchingMailer(database: Pick<Database, 'app'>, newId: NewId): Mailer {
  return {
    async send(mail) {
      await database.app((db) =>
        sql`select quorate.catch_mail(${newId()}, ${mail.to}, ${oneLine(mail.subject)}, ${stripBidiControls(mail.text)}, ${mail.html ?? ''})`.execute(
          db,
        ),
      );
    },
  };
}

/** A line break in a subject would begin a header of the sender's choosing; a turned direction reaches the words beside it in a list of mails. */
function oneLine(subject: string): string {
  return stripBidiControls(subject.replace(/[\r\n]+/g, ' '));
}
