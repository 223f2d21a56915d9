import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { href, useFetcher, useNavigate } from 'react-router';
import { useLooks } from '#app/components/look/looks-provider.tsx';
import { Palette, type PaletteAnswer, type PaletteHit } from '#app/components/palette/palette.tsx';
import { GROUP_WORDS } from '#app/features/search/group-words.ts';
import { PaletteDialog } from '#app/features/search/palette-dialog.tsx';
import type { SearchResult } from '#app/features/search/search-result.ts';

const ADDRESS = href('/dashboard/search');
/** Asks again after a pause in typing this long. */
const REST_MS = 150;
const HITS_SHOWN = 5;

/** Search under the fingers: the same answers as the page's, from the same address. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const looks = useLooks();
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
  const choose = useCallback(
    (hit: PaletteHit) => {
      if (typeof hit.theme === 'string' && looks?.choose('theme', hit.theme)) onClose();
      else goTo(hit.path);
    },
    [goTo, looks, onClose],
  );
  // The words at the moment of the choice, which may be newer than the answer shown.
  const typed = useRef(words);
  useEffect(() => {
    typed.current = words;
  }, [words]);
  const goToAll = useCallback(() => goTo(`${ADDRESS}?${new URLSearchParams({ q: typed.current })}`), [goTo]);
  const result = fetcher.data;
  const answer = useMemo<PaletteAnswer | null>(() => {
    if (result === undefined) return null;
    const groups = result.groups.map(({ name, hits }) => ({
      name,
      heading: t(`search.${GROUP_WORDS[name]}`),
      hits: hits.slice(0, HITS_SHOWN),
    }));
    return { groups, count: result.count, all: result.words !== '' && result.count > 0 };
  }, [result, t]);
  return (
    <PaletteDialog label={t('search.label')} onClose={onClose}>
      <Palette words={words} onWords={setWords} answer={answer} onChoose={choose} onAll={goToAll} />
    </PaletteDialog>
  );
}
