import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { type NoticeRun, type NotificationSubject, spokenValues } from '#app/domain/people/notifications.ts';
import { type Asked, runName } from '#app/domain/runs/subject/subject-text.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';

/** The mail about a person's new notifications: a sentence, the run that it is about and a link for each; the rest stays behind sign-in. */
export function notificationMail({
  language,
  workspace: storedWorkspace,
  isDemo,
  messages,
}: {
  language: Language;
  workspace: string;
  isDemo: boolean;
  messages: readonly { subject: NotificationSubject; link: string; run: NoticeRun | null; asked: Asked | null }[];
}): { subject: string; text: string } {
  const t = translatorFor(language, 'mail');
  const say = translatorFor(language, 'explanations');
  const { names } = shippedTexts(language);
  const shown = <Value>(value: Value) => (isDemo && typeof value === 'string' ? (names.get(value) ?? value) : value);
  const workspace = shown(storedWorkspace);
  const words = {
    call: (values: { action: string; values: string }) => say('askedCall', values),
    number: (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options).format(value),
    series: (items: readonly string[]) => new Intl.ListFormat(language, { type: 'unit' }).format(items),
  };
  const named = (run: NoticeRun) => runName({ ...run, workflow: revealedText(shown(run.workflow)) }, words);
  const valuesOf = (subject: NotificationSubject, asked: Asked | null) =>
    Object.fromEntries(Object.entries(spokenValues(subject, asked, words)).map(([name, value]) => [name, shown(value)]));
  const sentences = messages.map(({ subject, link, run, asked }) => ({
    run: run === null ? [] : [named(run)],
    text: String(say(subject.key as never, valuesOf(subject, asked) as never)),
    link,
  }));
  const [first] = sentences;
  const subject =
    sentences.length === 1 && first !== undefined
      ? [...first.run, t('notificationSubject', { message: first.text, workspace })].join(' · ')
      : t('notificationsSubject', { count: sentences.length, workspace });
  const text = [...sentences.map(({ text, run, link }) => [text, ...run, link].join('\n')), t('notificationWhy', { workspace })].join(
    '\n\n',
  );
  // A line break in a name would start a header of its own.
  return { subject: subject.replace(/\s+/g, ' '), text: `${text}\n` };
}
