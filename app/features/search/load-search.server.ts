import { href, type RouterContextProvider } from 'react-router';
import { askedWords } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage, inShippedWords } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { AreaId } from '#app/domain/people/areas.ts';
import { can } from '#app/domain/people/roles.ts';
import { askedText } from '#app/domain/runs/subject/subject-text.ts';
import { amountAsSearched, readSearchWords } from '#app/domain/web/search-words.ts';
import { type FoundRow, findRows, HITS_MAX } from '#app/features/search/find-rows.server.ts';
import { matchTitles } from '#app/features/search/match-titles.server.ts';
import { findActions } from '#app/features/search/search-actions.server.ts';
import { SEARCH_FEATURES } from '#app/features/search/search-features.ts';
import {
  SEARCH_GROUPS,
  type SearchGroup,
  type SearchGroupName,
  type SearchHit,
  type SearchResult,
} from '#app/features/search/search-result.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** The areas of the sidebar, from the route: unfinished ones are not found either. */
export type SearchArea = { id: AreaId; route: string };

/** Results for `?q=` that the member may see, in groups. Without words: the areas. */
export async function loadSearch(
  { url, context }: { url: URL; context: Readonly<RouterContextProvider> },
  areas: readonly SearchArea[],
): Promise<SearchResult> {
  const { words, cut } = readSearchWords(url.searchParams.get('q'));
  const pages = pagesOf(context, areas);
  if (words === '')
    return resultOf(
      words,
      cut,
      new Map([
        ['action', findActions(context, words, [])],
        ['page', pages.map(hitOf)],
      ]),
    );
  const { read } = context.get(memberContext);
  const rows = inReadersLanguage(context, await read((db) => findRows(db, amountAsSearched(inShippedWords(context, words)))));
  const found = new Map<SearchGroupName, SearchHit[]>([
    ['action', findActions(context, words, rows)],
    ['page', matchTitles(pages, words).map(hitOf)],
    ['feature', matchTitles(featuresOf(context), words).map(hitOf)],
  ]);
  const said = askedWords(context);
  for (const row of rows) {
    const shown = showRow(row, areas, said);
    if (shown !== null) found.set(shown.group, [...(found.get(shown.group) ?? []), shown.hit]);
  }
  return resultOf(words, cut, found);
}

function resultOf(words: string, cut: boolean, found: ReadonlyMap<SearchGroupName, SearchHit[]>): SearchResult {
  const groups = SEARCH_GROUPS.flatMap((name): SearchGroup[] => {
    const hits = found.get(name) ?? [];
    return hits.length === 0 ? [] : [{ name, hits: hits.slice(0, HITS_MAX), more: hits.length > HITS_MAX }];
  });
  return {
    words,
    cut,
    groups,
    count: groups.reduce((sum, group) => sum + group.hits.length, 0),
    more: groups.some((group) => group.more),
  };
}

type Place = { title: string; detail: string; words: string; path: string };

const hitOf = ({ path, title, detail }: Place): SearchHit => ({ path, title, detail, status: null, at: null, theme: null });

function pagesOf(context: Readonly<RouterContextProvider>, areas: readonly SearchArea[]): Place[] {
  const t = getTranslator(context, 'shell');
  const own = getTranslator(context, 'search');
  const sidebar = areas.map(({ id, route }) => {
    const detail = t(`description.${id}`);
    return { path: route, title: t(`item.${id}`), detail, words: `${detail} ${own(`words.${id}`)}` };
  });
  return [
    ...sidebar,
    { path: href('/dashboard/approvals'), title: t('approvals'), detail: own('about.approvals'), words: own('about.approvals') },
    {
      path: href('/dashboard/notifications'),
      title: t('notifications'),
      detail: own('about.notifications'),
      words: own('about.notifications'),
    },
  ];
}

function featuresOf(context: Readonly<RouterContextProvider>): Place[] {
  const { member } = context.get(memberContext);
  const t = getTranslator(context, 'search');
  return SEARCH_FEATURES.filter(({ permission }) => permission === undefined || can(member.roles, permission)).map(({ id, path }) => ({
    path,
    title: t(`feature.${id}`),
    detail: '',
    words: '',
  }));
}

function showRow(
  row: FoundRow,
  areas: readonly SearchArea[],
  words: ReturnType<typeof askedWords>,
): { group: SearchGroupName; hit: SearchHit } | null {
  const at = row.at?.toISOString() ?? null;
  const base = { title: row.title, detail: row.detail, status: row.status, at, theme: null };
  const named = row.run === null ? row.title : words.runName({ ...row.run, workflow: row.title });
  switch (row.kind) {
    case 'workflow':
      return { group: 'workflow', hit: { ...base, path: href('/dashboard/workflows/:workflow', { workflow: row.id }) } };
    case 'policy':
      return { group: 'policy', hit: { ...base, path: href('/dashboard/policies/:policy', { policy: row.id }) } };
    case 'gateway':
      return { group: 'gateway', hit: { ...base, path: href('/dashboard/plugins/gateways/:gateway', { gateway: row.id }) } };
    case 'agent':
      return { group: 'agent', hit: { ...base, path: href('/dashboard/agents/authored/:agent', { agent: row.id }) } };
    case 'run':
      return { group: 'run', hit: { ...base, title: named, path: href('/dashboard/runs/:run', { run: row.id }) } };
    case 'approval':
      return {
        group: 'approval',
        hit: {
          ...base,
          title: row.asked === null ? row.title : askedText(row.asked, words),
          detail: row.run === null ? '' : words.runName({ ...row.run, workflow: row.detail }),
          path: href('/dashboard/approvals/:approval', { approval: row.id }),
        },
      };
    case 'member':
      return { group: 'member', hit: { ...base, path: href('/dashboard/admin/members') } };
    case 'connection':
      return showConnection(row, base, areas);
  }
}

function showConnection(row: FoundRow, base: Omit<SearchHit, 'path'>, areas: readonly SearchArea[]) {
  const plain = { ...base, detail: '' };
  if (row.detail === 'a2a')
    return { group: 'agent' as const, hit: { ...plain, path: href('/dashboard/agents/:connection', { connection: row.id }) } };
  if (row.detail === 'mcp')
    return { group: 'connection' as const, hit: { ...plain, path: href('/dashboard/plugins/:connection', { connection: row.id }) } };
  const hub = areas.find(({ id }) => id === 'llmHub');
  if (row.detail === 'model' && hub !== undefined) return { group: 'connection' as const, hit: { ...plain, path: hub.route } };
  return null;
}
