import type { RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { authContext, memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { countOtherApprovers } from '#app/engine/approvals/request-release.ts';

/** Whether the workspace is halted, by whom and why, open requests, and this member's options. */
export async function loadHalt(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { id } = member.workspace;
  const ways = await context.get(authContext).proofWays();
  return read(async (db) => {
    const workspace = await db
      .selectFrom('quorate.workspaces as w')
      .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'w.id').onRef('m.user_id', '=', 'w.halted_by'))
      .select(['w.halted_at', 'w.halt_reason', 'm.name as halted_by'])
      .where('w.id', '=', id)
      .executeTakeFirstOrThrow();
    const asked = await db
      .selectFrom('quorate.approvals')
      .select(['id', 'requested_by', 'created_at', 'due_at'])
      .where('workspace_id', '=', id)
      .where('subject_kind', '=', 'release')
      .where('status', '=', 'pending')
      .executeTakeFirst();
    return {
      ways,
      workspaceName: shownWorkspaceName(context),
      mayHalt: can(member.roles, 'halt'),
      otherApprovers: await countOtherApprovers(db),
      halt:
        workspace.halted_at === null
          ? null
          : { at: workspace.halted_at.toISOString(), by: workspace.halted_by, reason: workspace.halt_reason },
      asked:
        asked === undefined
          ? null
          : {
              id: asked.id,
              mine: asked.requested_by === member.userId,
              at: asked.created_at.toISOString(),
              dueAt: asked.due_at.toISOString(),
            },
    };
  });
}
export type HaltView = Awaited<ReturnType<typeof loadHalt>>;
