import { href, type RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import type { FoundRow } from '#app/features/search/find-rows.server.ts';
import { matchTitles } from '#app/features/search/match-titles.server.ts';
import type { SearchHit } from '#app/features/search/search-result.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** So many workflows are offered to be run. */
const RUNS_OFFERED = 3;

const hitOf = (hit: Pick<SearchHit, 'path' | 'title'> & Partial<SearchHit>): SearchHit => ({
  detail: '',
  status: null,
  at: null,
  theme: null,
  ...hit,
});

/** Acts that the member may do at once and that fit the words: without words the next decision, with them also the look and found workflows. */
export function findActions(context: Readonly<RouterContextProvider>, words: string, rows: readonly FoundRow[]): SearchHit[] {
  const { member } = context.get(memberContext);
  const t = getTranslator(context, 'search');
  const decide = can(member.roles, 'decideApproval')
    ? [{ title: t('action.nextApproval'), words: t('action.approvalWords'), hit: { path: href('/dashboard/approvals/next') } }]
    : [];
  const themes = (['light', 'dark'] as const).map((theme) => ({
    title: t(`action.${theme}`),
    words: t('action.themeWords'),
    hit: { path: href('/dashboard/appearance'), theme },
  }));
  const fitting = words === '' ? decide : matchTitles([...decide, ...themes], words);
  const runnable = can(member.roles, 'startRun') ? rows.filter((row) => row.kind === 'workflow' && row.status === 'active') : [];
  return [
    ...fitting.map(({ title, hit }) => hitOf({ title, ...hit })),
    ...runnable
      .slice(0, RUNS_OFFERED)
      .map((row) =>
        hitOf({ title: t('action.run', { name: row.title }), path: href('/dashboard/workflows/:workflow/run', { workflow: row.id }) }),
      ),
  ];
}
