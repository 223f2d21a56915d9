import type { ActionFunctionArgs } from 'react-router';
import { changeSavedViews, type ViewArea } from '#app/components/saved-views/saved-views.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { dropView } from '#app/engine/commands/personal/drop-view.ts';
import { saveView } from '#app/engine/commands/personal/save-view.ts';
import { approvalsUrl } from '#app/features/approvals/desk/approval-address.ts';
import { readApprovalFilter, readInboxFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';
import { performForSelf } from '#app/perform.server.ts';

/** Views of the approver's desk. */
export const APPROVAL_VIEWS: ViewArea = {
  area: 'approvals',
  addressOf(query) {
    const params = new URLSearchParams(query);
    return approvalsUrl(readApprovalFilter(params), readInboxFilter(params));
  },
};

/** Saves or deletes one of the member's views of the desk. */
export function changeApprovalViews({ request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>) {
  const { area } = APPROVAL_VIEWS;
  const workspace = context.get(memberContext).member.workspace.id;
  return changeSavedViews(request, APPROVAL_VIEWS, {
    save: (view) => performForSelf(context, saveView, { workspace, area, ...view }),
    drop: (view) => performForSelf(context, dropView, { view }),
  });
}
