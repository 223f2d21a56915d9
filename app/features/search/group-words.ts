import type { SearchGroupName } from '#app/features/search/search-result.ts';

/** Keys of the namespace `search`. */
export const GROUP_WORDS = {
  action: 'group.action',
  page: 'group.page',
  feature: 'group.feature',
  workflow: 'group.workflow',
  agent: 'group.agent',
  run: 'group.run',
  approval: 'group.approval',
  policy: 'group.policy',
  connection: 'group.connection',
  gateway: 'group.gateway',
  member: 'group.member',
} as const satisfies Record<SearchGroupName, string>;
