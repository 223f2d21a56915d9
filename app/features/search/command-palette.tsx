import { Command } from 'cmdk';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFetcher, useNavigate } from 'react-router';
import { StatusWord } from '#app/components/status-word.tsx';
import { GROUP_WORDS } from '#app/features/search/group-words.ts';
import type { SearchHit, SearchResult } from '#app/features/search/search-result.ts';

const ADDRESS = '/dashboard/search';
/** One asks again when the fingers rest so long. */
const REST_MS = 150;
const HITS_SHOWN = 5;

const itemValue = (group: string, hit: SearchHit) => `${group} ${hit.path} ${hit.title}`.trim();

/** Search under the fingers: the same answers as the page's, from the same address. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const fetcher = useFetcher<SearchResult>();
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const { load } = fetcher;
  useEffect(() => {
    const timer = setTimeout(() => void load(`${ADDRESS}?${new URLSearchParams({ q: words })}`), words === '' ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [words, load]);
  const goTo = useCallback(
    (path: string) => {
      onClose();
      void navigate(path);
    },
    [onClose, navigate],
  );
  // The words as they stand when it is chosen, which may be further than the answer that is shown.
  const typed = useRef(words);
  useEffect(() => {
    typed.current = words;
  }, [words]);
  const goToAll = useCallback(() => goTo(`${ADDRESS}?${new URLSearchParams({ q: typed.current })}`), [goTo]);
  const result = fetcher.data;
  const [selected, setSelected] = useState('');
  useEffect(() => {
    // What was selected may be gone with the answer before: Enter takes the best of this one.
    const [group] = result?.groups ?? [];
    const [hit] = group?.hits ?? [];
    setSelected(group === undefined || hit === undefined ? '' : itemValue(group.name, hit));
  }, [result]);
  return (
    <Command.Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      shouldFilter={false}
      value={selected}
      onValueChange={setSelected}
      loop
      label={t('search.label')}
      overlayClassName="fixed inset-0 z-40 bg-ink/40"
      contentClassName="fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-[0_8px_24px_rgb(0_0_0/0.2)]"
    >
      <Command.Input
        value={words}
        onValueChange={setWords}
        placeholder={t('search.placeholder')}
        dir="auto"
        className="min-h-12 w-full border-b border-line bg-surface px-4 text-base outline-offset-[-2px]"
      />
      <p role="status" className="sr-only">
        {result === undefined ? '' : t('search.count', { count: result.count })}
      </p>
      <Command.List className="max-h-[60vh] overflow-y-auto p-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted">
        {result === undefined ? null : <Answers result={result} goTo={goTo} goToAll={goToAll} />}
      </Command.List>
    </Command.Dialog>
  );
}

/** Drawn anew with an answer, not with each key: a line costs more than a letter may take. */
const Answers = memo(function Answers({
  result,
  goTo,
  goToAll,
}: {
  result: SearchResult;
  goTo: (path: string) => void;
  goToAll: () => void;
}) {
  const { t } = useTranslation('shell');
  return (
    <>
      {result.count === 0 ? <p className="px-2 py-6 text-center text-muted">{t('search.noResults')}</p> : null}
      {result.groups.map((group) => (
        <Command.Group key={group.name} heading={t(`search.${GROUP_WORDS[group.name]}`)}>
          {group.hits.slice(0, HITS_SHOWN).map((hit) => (
            <Command.Item
              key={`${hit.path} ${hit.title} ${hit.detail}`}
              value={itemValue(group.name, hit)}
              onSelect={() => goTo(hit.path)}
              className="flex min-h-10 cursor-pointer items-baseline gap-3 rounded-md px-2 py-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
            >
              <bdi className="shrink-0 truncate font-semibold">{hit.title}</bdi>
              <bdi className="min-w-0 flex-1 truncate text-sm text-muted">{hit.detail}</bdi>
              {hit.status === null ? null : (
                <span className="text-sm">
                  <StatusWord status={hit.status} />
                </span>
              )}
            </Command.Item>
          ))}
        </Command.Group>
      ))}
      {result.words !== '' && result.count > 0 ? (
        <Command.Group>
          <Command.Item
            value="everything"
            onSelect={goToAll}
            className="min-h-10 cursor-pointer rounded-md px-2 py-2 text-accent data-[selected=true]:bg-accent-soft"
          >
            {t('search.all')}
          </Command.Item>
        </Command.Group>
      ) : null}
    </>
  );
});
