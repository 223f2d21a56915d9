import type { ActionFunctionArgs } from 'react-router';
import { changeSavedViews, type ViewArea } from '#app/components/saved-views/saved-views.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { listUrl } from '#app/domain/web/list-address.ts';
import { dropView } from '#app/engine/commands/personal/drop-view.ts';
import { saveView } from '#app/engine/commands/personal/save-view.ts';
import { AUDIT } from '#app/features/audit/audit-filter-schema.ts';
import { performForSelf } from '#app/perform.server.ts';

/** Views of the log. */
export const AUDIT_VIEWS: ViewArea = {
  area: 'audit',
  addressOf: (query) => listUrl(AUDIT, new URLSearchParams(query)),
};

/** Saves or deletes one of the member's views of the log. */
export function changeAuditViews({ request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>) {
  const { area } = AUDIT_VIEWS;
  const workspace = context.get(memberContext).member.workspace.id;
  return changeSavedViews(request, AUDIT_VIEWS, {
    save: (view) => performForSelf(context, saveView, { workspace, area, ...view }),
    drop: (view) => performForSelf(context, dropView, { view }),
  });
}
