import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import type { NoticeRun, NotificationSubject } from '#app/domain/people/notifications.ts';
import type { Asked } from '#app/domain/runs/subject/subject-text.ts';
import type { Language } from '#app/domain/web/languages.ts';

const approvalSchema = z.object({
  due: z.string(),
  question: z.string().nullable(),
  facts: z.array(z.tuple([z.string()], z.json())),
  comment: z.string().nullable(),
});

/** The approval that a notification is about: `due` in ISO 8601, its facts in their order; a value is missing where it is too long to send. */
type NoticeApproval = {
  due: string;
  question: string | null;
  facts: { name: string; value: Json | undefined }[];
  /** The question to the requester, or the answer, that the notification is of. */
  comment: string | null;
};

/** The row of `quorate.approval_of_notice`; null where it is about none that is open, or that its receiver may see. */
export function readNoticeApproval(stored: Json): NoticeApproval | null {
  const read = approvalSchema.nullable().parse(stored);
  return read === null ? null : { ...read, facts: read.facts.map(([name, value]) => ({ name, value: value as Json | undefined })) };
}

/** A notification with all that it is about, as far as its receiver may see it. `link`: a full address. */
export type Notice = {
  subject: NotificationSubject;
  link: string;
  run: NoticeRun | null;
  asked: Asked | null;
  approval: NoticeApproval | null;
};

/** `isDemo`: shipped texts are put into the reader's language. */
export type NoticeReader = { language: Language; workspace: string; isDemo: boolean };

/** A notification in the words of its reader's language, each in one line and not escaped. */
export type NoticeWords = {
  text: string;
  run: string | null;
  question: string | null;
  comment: string | null;
  facts: { name: string; text: string }[];
  /** That there are more facts than these. */
  more: string | null;
  due: string | null;
  /** The words of the link. */
  open: string;
  workspace: string;
};
