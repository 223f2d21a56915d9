import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { readDashboardSettings } from '#app/domain/people/member-settings.ts';
import { keepMemberSettings } from '#app/engine/commands/personal/keep-member-settings.ts';
import { arrangeSchema } from '#app/features/dashboard/arrange/arrange-schema.ts';
import { mayShowPanel } from '#app/features/dashboard/arrange/may-show.ts';
import { type ArrangedPanel, arrangePanels, movePanel, settingsOf } from '#app/features/dashboard/panels.ts';
import { performForSelf } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The member's arrangement of the dashboard in this workspace, also of what is put away. */
export async function loadArrangement(context: Context): Promise<{ panels: ArrangedPanel[] }> {
  const { member, read } = context.get(memberContext);
  const row = await read((db) =>
    db
      .selectFrom('quorate.member_settings')
      .where('workspace_id', '=', member.workspace.id)
      .where('user_id', '=', member.userId)
      .select('settings')
      .executeTakeFirst(),
  );
  return { panels: arrangePanels(readDashboardSettings(row?.settings), mayShowPanel(member.roles)) };
}

/** Keeps the arrangement that was posted: whole, moved by one place, with one panel put away, or as it was at first. */
export async function arrangeDashboard({ request, context }: { request: Request; context: Context }) {
  const parsed = await parseFormData(await request.formData(), arrangeSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { order, shown, move, restore, hide } = parsed.value;
  const { member } = context.get(memberContext);
  const keep = (panels: readonly ArrangedPanel[]) =>
    performForSelf(context, keepMemberSettings, { workspace: member.workspace.id, settings: { dashboard: settingsOf(panels) } });
  if (hide !== undefined) {
    const { panels } = await loadArrangement(context);
    await keep(panels.map((panel) => (panel.name === hide ? { ...panel, shown: false } : panel)));
    return redirectWithNotice(href('/dashboard'), 'panelClosed');
  }
  if (restore !== undefined) {
    await keep(arrangePanels(undefined, mayShowPanel(member.roles)));
    return redirectWithNotice(href('/dashboard/arrange'), 'dashboardRestored');
  }
  const posted = arrangePanels({ order, hidden: order.filter((name) => !shown.includes(name)) }, mayShowPanel(member.roles));
  const [way = '', name = ''] = move?.split(':') ?? [];
  await keep(move === undefined ? posted : movePanel(posted, name, way === 'up' ? 'up' : 'down'));
  // Where the panel stands now, so that the next press moves the same one.
  if (move !== undefined) return redirectWithNotice(`${href('/dashboard/arrange')}#panel-${name}`, 'panelMoved');
  return redirectWithNotice(href('/dashboard'), 'dashboardArranged');
}
