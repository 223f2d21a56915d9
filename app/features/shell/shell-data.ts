import type { Counts } from '#app/components/live/live-counts.tsx';
import type { Health } from '#app/domain/people/health.ts';

export type ShellData = {
  member: { name: string; email: string; roles: readonly string[]; picture: string | null };
  workspace: { id: string; name: string; halted: boolean };
  /** All workspaces that the member belongs to. */
  workspaces: readonly { id: string; name: string }[];
  /** Whether the member may found one more. */
  founds: boolean;
  /** How the texts of the demo are shown to who reads another language than English; null anywhere else. */
  texts: 'translated' | 'stored' | null;
  decides: boolean;
  counts: Counts;
  /** Null: not known. */
  health: Health | null;
  collapsed: boolean;
};
