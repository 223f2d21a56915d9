import type { StatusName } from '#app/components/data/status-word.tsx';

export const SEARCH_GROUPS = [
  'action',
  'page',
  'feature',
  'workflow',
  'agent',
  'run',
  'approval',
  'policy',
  'connection',
  'gateway',
  'member',
] as const;
export type SearchGroupName = (typeof SEARCH_GROUPS)[number];

/** `theme`: choosing it switches to this theme, and `path` is where it can be chosen as well. */
export type SearchHit = {
  path: string;
  title: string;
  detail: string;
  status: StatusName | null;
  at: string | null;
  theme: 'light' | 'dark' | null;
};
/** `more`: there are more than `hits` shows. */
export type SearchGroup = { name: SearchGroupName; hits: SearchHit[]; more: boolean };
export type SearchResult = { words: string; cut: boolean; groups: SearchGroup[]; count: number; more: boolean };
