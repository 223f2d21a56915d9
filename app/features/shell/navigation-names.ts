import type { AreaId } from '#app/domain/people/areas.ts';
import { activeItem, type SidebarGroup } from '#app/features/shell/navigation.ts';

/** Keys of the namespace `shell` for the entries' names. */
export const ITEM_NAMES = {
  dashboard: 'item.dashboard',
  reasoning: 'item.reasoning',
  agents: 'item.agents',
  workflows: 'item.workflows',
  plugins: 'item.plugins',
  analytics: 'item.analytics',
  llmHub: 'item.llmHub',
  marketplace: 'item.marketplace',
  devConsole: 'item.devConsole',
  audit: 'item.audit',
  admin: 'item.admin',
  policies: 'item.policies',
  appearance: 'item.appearance',
  account: 'item.account',
  help: 'item.help',
} as const satisfies Record<AreaId, string>;

/** A one-line description of the entry. */
export const ITEM_DESCRIPTIONS = {
  dashboard: 'description.dashboard',
  reasoning: 'description.reasoning',
  agents: 'description.agents',
  workflows: 'description.workflows',
  plugins: 'description.plugins',
  analytics: 'description.analytics',
  llmHub: 'description.llmHub',
  marketplace: 'description.marketplace',
  devConsole: 'description.devConsole',
  audit: 'description.audit',
  admin: 'description.admin',
  policies: 'description.policies',
  appearance: 'description.appearance',
  account: 'description.account',
  help: 'description.help',
} as const satisfies Record<AreaId, string>;

export const GROUP_NAMES = {
  platform: 'group.platform',
  development: 'group.development',
  administration: 'group.administration',
  support: 'group.support',
} as const satisfies Record<SidebarGroup['id'], string>;

/** Areas without an entry in the sidebar, by the start of their addresses. */
const FURTHER_AREAS = [
  { route: '/dashboard/approvals', name: 'approvals' },
  { route: '/dashboard/notifications', name: 'notifications' },
  { route: '/dashboard/search', name: 'search.label' },
] as const;

export type AreaName = (typeof ITEM_NAMES)[AreaId] | (typeof FURTHER_AREAS)[number]['name'];

/** The key of the name of the area that an address is in; null where it has none. */
export function areaName(path: string): AreaName | null {
  const item = activeItem(path);
  if (item !== null) return ITEM_NAMES[item];
  return FURTHER_AREAS.find(({ route }) => path === route || path.startsWith(`${route}/`))?.name ?? null;
}
