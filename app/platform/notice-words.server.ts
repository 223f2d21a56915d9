import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { Notice, NoticeReader, NoticeWords } from '#app/domain/people/notice.ts';
import { spokenValues } from '#app/domain/people/notifications.ts';
import { type FactWords, factName, factText } from '#app/domain/runs/facts/fact-text.ts';
import type { SentenceWords } from '#app/domain/runs/subject/sentence-words.ts';
import { runName } from '#app/domain/runs/subject/subject-text.ts';
import { makeFormats } from '#app/domain/web/formats.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';

const MOST_FACTS = 12;
const MOST_CHARACTERS = 600;

/** Makes the words of notifications for one reader: for mails, and for the channels of chats. */
export function noticeWriter({ language, workspace, isDemo }: NoticeReader): (notice: Notice) => NoticeWords {
  const t = translatorFor(language, 'mail');
  const say = translatorFor(language, 'explanations');
  const inputs = translatorFor(language, 'inputs');
  const { names, values, sentence } = shippedTexts(language);
  const inWords: SentenceWords = isDemo ? sentence : (parts) => [...parts];
  const shown = (text: string) => (isDemo ? (names.get(text) ?? text) : text);
  const formats = makeFormats({ language, timeZone: 'UTC', now: new Date(0).toISOString() });
  const words = { ...formats, call: (call: { action: string; values: string }) => say('askedCall', call), sentence: inWords };
  const facts: FactWords = {
    formats,
    yes: inputs('yes'),
    no: inputs('no'),
    say: (text) => (isDemo ? (values.get(text) ?? shown(text)) : text),
  };
  const valueText = (name: string, value: Json | undefined) => (value === undefined ? '…' : factText(name, value, facts));
  return ({ subject, run, asked, approval }) => {
    const spoken = Object.entries(spokenValues(subject, asked, words)).map(([name, value]) => [
      name,
      typeof value === 'string' ? shown(value) : value,
    ]);
    const line = (text: string | null | undefined) => (text == null || text.trim() === '' ? null : oneLine(revealedText(facts.say(text))));
    return {
      text: oneLine(String(say(subject.key as never, Object.fromEntries(spoken) as never))),
      run:
        run === null
          ? null
          : runName({ ...run, subject: run.subject && inWords(run.subject), workflow: revealedText(shown(run.workflow)) }, words),
      question: line(approval?.question),
      comment: line(approval?.comment),
      facts: (approval?.facts ?? [])
        .slice(0, MOST_FACTS)
        .map(({ name, value }) => ({ name: factName(name, facts), text: valueText(name, value) })),
      more: (approval?.facts.length ?? 0) > MOST_FACTS ? t('noticeMoreFacts') : null,
      due: approval === null ? null : t('noticeDue', { time: formats.exactTime(approval.due) }),
      open: t('noticeOpen'),
      workspace: shown(workspace),
    };
  };
}

function oneLine(text: string): string {
  const characters = [...text.replace(/[^\S\u00A0\u202F]+/gu, ' ').trim()];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : characters.join('');
}
