import { sql } from 'kysely';
import { type ActionFunctionArgs, data } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { sessionsSchema } from '#app/features/account/account-schemas.ts';
import { authContext, memberContext } from '#app/request-context.ts';

const SESSIONS_PATH = '/dashboard/account/sessions';

/** Ends one of one's own sessions, all others, or all. Its next request finds no session: nothing waits for a token to run out. */
export async function endSessions({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, sessionsSchema);
  if (!parsed.ok) throw data({ code: 'invalid_input' }, { status: 400 });
  const { member, change } = context.get(memberContext);
  const resource = { kind: 'member', id: member.userId, name: member.name };
  if (parsed.value.intent === 'end') {
    const { session } = parsed.value;
    await change(async (db) => {
      const { rows } = await sql<{ ended: boolean }>`select quorate.end_own_session(${session}::uuid) as ended`.execute(db);
      if (rows[0]?.ended !== true) throw data({ code: 'not_found' }, { status: 404 });
      return { result: null, event: { action: 'session.ended', resource } };
    });
    // Who ends the very session they are in is out with it.
    return redirectWithNotice(session === member.sessionId ? '/auth' : SESSIONS_PATH, 'sessionEnded');
  }
  if (parsed.value.intent === 'others') {
    await context.get(authContext).endSessions('others');
    await change(async () => ({ result: null, event: { action: 'session.othersEnded', resource } }));
    return redirectWithNotice(SESSIONS_PATH, 'otherSessionsEnded');
  }
  // Written first: afterwards there is no session left to write it in.
  await change(async () => ({ result: null, event: { action: 'session.allEnded', resource } }));
  await context.get(authContext).endSessions('global');
  return redirectWithNotice('/auth', 'allSessionsEnded');
}
