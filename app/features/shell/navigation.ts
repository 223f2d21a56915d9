import type { IconComponent } from '#app/components/icon/create-icon.ts';
import type { AreaId } from '#app/domain/people/areas.ts';
import Bot from '~icons/bot';
import Brain from '~icons/brain-circuit';
import ChartColumn from '~icons/chart-column';
import CircleHelp from '~icons/circle-question-mark';
import LayoutDashboard from '~icons/layout-dashboard';
import Network from '~icons/network';
import Package from '~icons/package';
import Palette from '~icons/palette';
import Plug from '~icons/plug';
import Scale from '~icons/scale';
import ScrollText from '~icons/scroll-text';
import ShieldCheck from '~icons/shield-check';
import SquareTerminal from '~icons/square-terminal';
import UserRound from '~icons/user-round';
import Workflow from '~icons/workflow';

/** An entry of the sidebar. `also`: further addresses on which it is the active one. */
export type SidebarItem = {
  id: AreaId;
  route: string;
  also?: readonly string[];
  Icon: IconComponent;
  badge?: 'new';
};

/** `category`: of all items of the group. */
export type SidebarGroup = {
  id: 'platform' | 'development' | 'administration' | 'support';
  category: 'core' | 'tools' | 'admin' | 'support';
  items: readonly SidebarItem[];
};

const GROUPS: readonly SidebarGroup[] = [
  {
    id: 'platform',
    category: 'core',
    items: [
      { id: 'dashboard', route: '/dashboard', Icon: LayoutDashboard },
      { id: 'reasoning', route: '/dashboard/ai-orchestration', also: ['/dashboard/ai-reasoning'], Icon: Brain },
      { id: 'agents', route: '/dashboard/agents', also: ['/dashboard/my-agents'], Icon: Bot },
      { id: 'workflows', route: '/dashboard/workflows', also: ['/dashboard/runs'], Icon: Workflow },
      { id: 'plugins', route: '/dashboard/plugins', Icon: Plug },
      { id: 'analytics', route: '/dashboard/analytics', Icon: ChartColumn },
    ],
  },
  {
    id: 'development',
    category: 'tools',
    items: [
      { id: 'llmHub', route: '/dashboard/llm-hub', Icon: Network },
      { id: 'marketplace', route: '/dashboard/marketplace', Icon: Package, badge: 'new' },
      { id: 'devConsole', route: '/dashboard/dev-console', Icon: SquareTerminal },
      { id: 'audit', route: '/dashboard/audit', Icon: ScrollText },
    ],
  },
  {
    id: 'administration',
    category: 'admin',
    items: [
      { id: 'admin', route: '/dashboard/admin', also: ['/dashboard/admin-tools'], Icon: ShieldCheck },
      { id: 'policies', route: '/dashboard/policies', Icon: Scale },
      { id: 'appearance', route: '/dashboard/appearance', Icon: Palette },
    ],
  },
  {
    id: 'support',
    category: 'support',
    items: [
      { id: 'account', route: '/dashboard/account', Icon: UserRound },
      { id: 'help', route: '/dashboard/help', Icon: CircleHelp },
    ],
  },
];

/** Areas that have a screen. An entry whose area is not built yet is left out: no link leads nowhere. */
const BUILT: ReadonlySet<AreaId> = new Set([
  'dashboard',
  'reasoning',
  'analytics',
  'agents',
  'workflows',
  'plugins',
  'llmHub',
  'marketplace',
  'devConsole',
  'audit',
  'policies',
  'admin',
  'appearance',
  'account',
  'help',
]);

export const SIDEBAR: readonly SidebarGroup[] = GROUPS.map((group) => ({
  ...group,
  items: group.items.filter((item) => BUILT.has(item.id)),
})).filter((group) => group.items.length > 0);

/** The entry whose address is the longest prefix of the path; the dashboard only on its own address. */
export function activeItem(path: string, groups: readonly SidebarGroup[] = SIDEBAR): AreaId | null {
  let best: { id: AreaId; length: number } | null = null;
  for (const item of groups.flatMap((group) => group.items)) {
    for (const route of [item.route, ...(item.also ?? [])]) {
      const matches = path === route || (item.id !== 'dashboard' && path.startsWith(`${route}/`));
      if (matches && (best === null || route.length > best.length)) best = { id: item.id, length: route.length };
    }
  }
  return best?.id ?? null;
}
