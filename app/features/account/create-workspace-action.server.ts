import { sql } from 'kysely';
import type { ActionFunctionArgs } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { workspaceCookie } from '#app/components/workspace-cookie.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { slugFor } from '#app/engine/workspaces/slug-for.ts';
import { newWorkspaceSchema } from '#app/features/account/account-schemas.ts';
import { clientContext, memberContext, servicesContext } from '#app/request-context.ts';

/** Workspaces that one person rules, at most; and how many of them one may found within an hour. */
const MOST_WORKSPACES = 20;
const FOUNDED = { name: 'workspacesFounded', max: 5, windowSeconds: 3_600 } as const;
const UNIQUE_VIOLATION = '23505';
const SLUG_TRIES = 5;

/** Founds a workspace by the path of sign-up, with the person as its admin and builder, and goes to work there. */
export async function createWorkspace({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, newWorkspaceSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { member } = context.get(memberContext);
  const { access, newId } = context.get(servicesContext);
  const wait = await access.asNobody((db) => takeLimit(db, FOUNDED, member.userId));
  if (wait > 0) return invalidForm(parsed.reply, { formErrors: ['tooManyWorkspacesNow'] }, 429);
  const { name } = parsed.value;
  const id = newId();
  for (let attempt = 1; ; attempt += 1) {
    const slug = slugFor(name, attempt > 1);
    try {
      const founded = await access.asNobody((db) =>
        sql<{
          done: boolean;
        }>`select quorate.create_workspace(${member.userId}::uuid, ${member.sessionId}::uuid, ${member.name}, ${id}::uuid, ${name}, ${slug}, ${newId()}::uuid, ${MOST_WORKSPACES}) as done`.execute(
          db,
        ),
      );
      if (founded.rows[0]?.done !== true)
        return invalidForm(parsed.reply, { formErrors: [message('tooManyWorkspaces', { maximum: MOST_WORKSPACES })] });
      break;
    } catch (error) {
      if (attempt >= SLUG_TRIES || !isSqlState(error, UNIQUE_VIOLATION)) throw error;
    }
  }
  return redirectWithNotice('/dashboard', 'workspaceCreated', {
    headers: { 'Set-Cookie': workspaceCookie(id, context.get(clientContext).secure) },
  });
}
