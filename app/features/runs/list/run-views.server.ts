import type { ActionFunctionArgs } from 'react-router';
import { changeSavedViews, type ViewArea } from '#app/components/saved-views/saved-views.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { listUrl } from '#app/domain/web/list-address.ts';
import { dropView } from '#app/engine/commands/personal/drop-view.ts';
import { saveView } from '#app/engine/commands/personal/save-view.ts';
import { RUNS } from '#app/features/runs/list/run-filter.ts';
import { performForSelf } from '#app/perform.server.ts';

/** Views of the list of runs. */
export const RUN_VIEWS: ViewArea = {
  area: 'runs',
  addressOf: (query) => listUrl(RUNS, new URLSearchParams(query)),
};

/** Saves or deletes one of the member's views of the list of runs. */
export function changeRunViews({ request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>) {
  const { area } = RUN_VIEWS;
  const workspace = context.get(memberContext).member.workspace.id;
  return changeSavedViews(request, RUN_VIEWS, {
    save: (view) => performForSelf(context, saveView, { workspace, area, ...view }),
    drop: (view) => performForSelf(context, dropView, { view }),
  });
}
