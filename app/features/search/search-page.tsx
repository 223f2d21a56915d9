import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, Link, useLocation } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { useLooksForm } from '#app/components/look/looks-provider.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { SEARCH_WORDS_MAX } from '#app/domain/web/search-words.ts';
import { GROUP_WORDS } from '#app/features/search/group-words.ts';
import type { SearchGroup, SearchResult } from '#app/features/search/search-result.ts';

export function SearchPage({ words, cut, groups, count, more }: SearchResult) {
  const { t } = useTranslation('search');
  const { t: shell } = useTranslation('shell');
  return (
    <PageFrame title={words === '' ? t('title') : t('titleFor', { words })} description={t('description')}>
      <SearchForm
        action={href('/dashboard/search')}
        words={words}
        label={t('label')}
        placeholder={shell('search.placeholder')}
        submit={t('submit')}
      />
      {cut ? (
        <div className="mb-6 max-w-2xl">
          <Notice kind="attention" title={t('cut', { max: SEARCH_WORDS_MAX })} />
        </div>
      ) : null}
      {words === '' ? null : (
        <p role="status" className={count === 0 ? 'sr-only' : 'mb-6 text-muted'}>
          {count === 0 ? t('noResults') : more ? t('countMore', { count }) : t('count', { count })}
        </p>
      )}
      {count === 0 ? (
        <EmptyState title={t('noResults')} description={t('noResultsHint')} />
      ) : (
        groups.map((group) => <Group key={group.name} group={group} words={words} />)
      )}
    </PageFrame>
  );
}

function ThemeButton({ theme, children }: { theme: 'light' | 'dark'; children: ReactNode }) {
  const { onSubmit } = useLooksForm();
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={href('/preferences/appearance')} preventScrollReset onSubmit={onSubmit}>
      <input type="hidden" name="next" value={`${pathname}${search}`} />
      <button type="submit" name="theme" value={theme} className="text-link font-semibold">
        {children}
      </button>
    </Form>
  );
}

function Group({ group, words }: { group: SearchGroup; words: string }) {
  const { t } = useTranslation('search');
  const format = useFormats();
  const number = format.number(group.hits.length);
  return (
    <Section title={t(GROUP_WORDS[group.name])} {...(words === '' ? {} : { actions: <Badge>{group.more ? `${number}+` : number}</Badge> })}>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {group.hits.map((hit) => (
          <li key={`${hit.path} ${hit.title} ${hit.detail}`} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
            <div className="min-w-48 flex-1">
              {hit.theme === null ? (
                <Link to={hit.path} className="text-link font-semibold">
                  <bdi>{hit.title}</bdi>
                </Link>
              ) : (
                <ThemeButton theme={hit.theme}>{hit.title}</ThemeButton>
              )}
              {hit.detail === '' ? null : (
                <p className="line-clamp-1 text-sm text-muted">
                  <bdi>{hit.detail}</bdi>
                </p>
              )}
            </div>
            {hit.status === null ? null : (
              <span className="text-sm">
                <StatusWord status={hit.status} />
              </span>
            )}
            {hit.at === null ? null : (
              <span className="text-sm text-muted">
                <RelativeTime at={hit.at} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {group.name !== 'run' ? null : (
        <p className="mt-3">
          <Link to={`${href('/dashboard/runs')}?${new URLSearchParams({ q: words })}`} className="text-link">
            {t('moreRuns')}
          </Link>
        </p>
      )}
    </Section>
  );
}
