import { type ActionFunctionArgs, data, href } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext, memberContext } from '#app/contracts/request-context.ts';
import { endSession } from '#app/engine/commands/account/end-session.ts';
import { recordAccountChange } from '#app/engine/commands/account/record-account-change.ts';
import { sessionsSchema } from '#app/features/account/account-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

const SESSIONS_PATH = href('/dashboard/account/sessions');

/** Ends one of one's own sessions, all others, or all. Its next request finds no session: nothing waits for a token to run out. */
export async function endSessions({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, sessionsSchema);
  if (!parsed.ok) throw data({ code: 'invalid_input' }, { status: 400 });
  const { member } = context.get(memberContext);
  if (parsed.value.intent === 'end') {
    const { session } = parsed.value;
    await performAsMember(context, endSession, { session });
    // Ending one's present session signs one out here.
    return redirectWithNotice(session === member.sessionId ? href('/auth') : SESSIONS_PATH, 'sessionEnded');
  }
  if (parsed.value.intent === 'others') {
    await context.get(authContext).endSessions('others');
    await performAsMember(context, recordAccountChange, { done: 'session.othersEnded' });
    return redirectWithNotice(SESSIONS_PATH, 'otherSessionsEnded');
  }
  // Written first: afterwards there is no session left to write with.
  await performAsMember(context, recordAccountChange, { done: 'session.allEnded' });
  await context.get(authContext).endSessions('global');
  return redirectWithNotice(href('/auth'), 'allSessionsEnded');
}
