import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { type NoticeKey, redirectWithNotice } from '#app/components/page/notice.server.ts';
import { answerQuestion } from '#app/engine/commands/approvals/answer-question.ts';
import { askBack } from '#app/engine/commands/approvals/ask-back.ts';
import { commentOnApproval } from '#app/engine/commands/approvals/comment-on-approval.ts';
import { talkSchema } from '#app/features/approvals/talk/talk-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

const NOTICES = {
  comment: 'approvalCommented',
  question: 'approvalQuestionAsked',
  answer: 'approvalQuestionAnswered',
} as const satisfies Record<z.output<typeof talkSchema>['kind'], NoticeKey>;

/** Writes a comment, a question or an answer under an approval, and leads back to it. */
export async function talkAction({ request, params, context }: { request: Request; params: { approval: string }; context: Context }) {
  if (!z.uuid().safeParse(params.approval).success) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, talkSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    await write(context, params.approval, parsed.value);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  const page = href('/dashboard/approvals/:approval', { approval: params.approval });
  // the list stays as it was filtered
  return redirectWithNotice(`${page}${new URL(request.url).search}`, NOTICES[parsed.value.kind]);
}

function write(context: Context, approval: string, { kind, question = '', text }: z.output<typeof talkSchema>): Promise<null> {
  if (kind === 'answer') return performAsMember(context, answerQuestion, { approval, question, text });
  return performAsMember(context, kind === 'question' ? askBack : commentOnApproval, { approval, text });
}
