import type { Language } from '#app/domain/languages.ts';
import type { NotificationSubject } from '#app/domain/notifications.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';

/** The mail that tells a person what is new for them: what, who and where to, never what is inside. */
export function notificationMail({
  language,
  workspace,
  messages,
}: {
  language: Language;
  workspace: string;
  messages: readonly { subject: NotificationSubject; link: string }[];
}): { subject: string; text: string } {
  const t = translatorFor(language, 'mail');
  const say = translatorFor(language, 'explanations');
  const sentences = messages.map(({ subject, link }) => ({ text: String(say(subject.key as never, subject.values as never)), link }));
  const [first] = sentences;
  const subject =
    sentences.length === 1 && first !== undefined
      ? t('notificationSubject', { message: first.text, workspace })
      : t('notificationsSubject', { count: sentences.length, workspace });
  const text = [...sentences.map(({ text, link }) => `${text}\n${link}`), t('notificationWhy', { workspace })].join('\n\n');
  // A line break in a name would start a header of its own.
  return { subject: subject.replace(/\s+/g, ' '), text: `${text}\n` };
}
