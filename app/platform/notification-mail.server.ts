import type { Notice, NoticeReader } from '#app/domain/people/notice.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';
import { noticeWriter } from '#app/platform/notice-words.server.ts';

/**
 * The mail about a person's new notifications: for each a sentence, the run that it is about and a link; of an approval its question, its
 * facts and its due time as well.
 */
export function notificationMail({ messages, ...reader }: NoticeReader & { messages: readonly Notice[] }): {
  subject: string;
  text: string;
} {
  const t = translatorFor(reader.language, 'mail');
  const write = noticeWriter(reader);
  const written = messages.map((notice) => ({ ...write(notice), link: notice.link }));
  const [first] = written;
  const workspace = first?.workspace ?? reader.workspace;
  const subject =
    written.length === 1 && first !== undefined
      ? [...(first.run === null ? [] : [first.run]), t('notificationSubject', { message: first.text, workspace })].join(' · ')
      : t('notificationsSubject', { count: written.length, workspace });
  const parts = written.map(({ text, run, question, comment, facts, more, due, link }) =>
    [text, run, question, comment, ...facts.map(({ name, text: value }) => `${name}: ${value}`), more, due, link]
      .filter((line) => line !== null)
      .join('\n'),
  );
  const text = [...parts, t('notificationWhy', { workspace })].join('\n\n');
  // A line break in a name would start a header of its own.
  return { subject: subject.replace(/\s+/g, ' '), text: `${text}\n` };
}
