import type { DashboardSettings } from '#app/domain/people/member-settings.ts';

/** The panels of the dashboard in their first order: what I do at the start, what happens at the end of the line. */
export const PANEL_SIDES = {
  firstDay: 'start',
  waiting: 'start',
  myRuns: 'start',
  drafts: 'start',
  errors: 'start',
  newest: 'start',
  since: 'end',
  days: 'end',
  changes: 'end',
  health: 'end',
} as const;
export type PanelName = keyof typeof PANEL_SIDES;
export type PanelSide = 'start' | 'end';

const PANELS = Object.keys(PANEL_SIDES) as PanelName[];
const isPanel = (name: string): name is PanelName => name in PANEL_SIDES;

/** A panel in a member's arrangement. */
export type ArrangedPanel = { name: PanelName; side: PanelSide; shown: boolean };

/** All panels that `mayShow`, as the member has put them. One that came later stands behind those of its side. */
export function arrangePanels(settings: DashboardSettings | undefined, mayShow: (name: PanelName) => boolean): ArrangedPanel[] {
  const order = [...new Set([...(settings?.order ?? []).filter(isPanel), ...PANELS])];
  const hidden = new Set(settings?.hidden);
  return order.filter(mayShow).map((name) => ({ name, side: PANEL_SIDES[name], shown: !hidden.has(name) }));
}

/** The settings that say this arrangement. */
export function settingsOf(panels: readonly ArrangedPanel[]): DashboardSettings {
  return { order: panels.map(({ name }) => name), hidden: panels.filter(({ shown }) => !shown).map(({ name }) => name) };
}

/** The arrangement with one panel a place further up or down within its side; the same where there is no place. */
export function movePanel(panels: readonly ArrangedPanel[], name: string, way: 'up' | 'down'): ArrangedPanel[] {
  const at = panels.findIndex((panel) => panel.name === name);
  const moved = panels[at];
  if (moved === undefined) return [...panels];
  const places = panels.flatMap((panel, place) => (panel.side === moved.side ? [place] : []));
  const to = places[places.indexOf(at) + (way === 'up' ? -1 : 1)];
  const other = to === undefined ? undefined : panels[to];
  if (to === undefined || other === undefined) return [...panels];
  return panels.map((panel, place) => (place === at ? other : place === to ? moved : panel));
}
