import { Command } from 'cmdk';
import { memo, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type StatusName, StatusWord } from '#app/components/data/status-word.tsx';

export type PaletteHit = { path: string; title: string; detail: string; status: StatusName | null; theme?: 'light' | 'dark' | null };
export type PaletteGroup = { name: string; heading: string; hits: readonly PaletteHit[] };
/** Search results; `all` links to all results for the words, where there are any. */
export type PaletteAnswer = { groups: readonly PaletteGroup[]; count: number; all: boolean };

const itemValue = (group: string, hit: PaletteHit) => `${group} ${hit.path} ${hit.title}`.trim();

type Props = {
  words: string;
  onWords: (words: string) => void;
  /** Null as long as nothing has come. Its identity says whether it is another one. */
  answer: PaletteAnswer | null;
  /** Both may not change from one letter to the next: the answers are drawn again with them. */
  onChoose: (hit: PaletteHit) => void;
  onAll: () => void;
};

/** The part of the page that contains it. */
export const PALETTE_FRAME =
  'max-w-xl overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-[0_8px_24px_rgb(0_0_0/0.2)]';

/** A field with its results below, one per line, under the arrow keys. */
export function Palette({ words, onWords, answer, onChoose, onAll }: Props) {
  const { t } = useTranslation('shell');
  const [selected, setSelected] = useState('');
  useEffect(() => {
    // The selected result may belong to an earlier answer: Enter takes the best of this one.
    const [group] = answer?.groups ?? [];
    const [hit] = group?.hits ?? [];
    setSelected(group === undefined || hit === undefined ? '' : itemValue(group.name, hit));
  }, [answer]);
  return (
    <Command shouldFilter={false} value={selected} onValueChange={setSelected} loop label={t('search.label')}>
      <Command.Input
        value={words}
        onValueChange={onWords}
        placeholder={t('search.placeholder')}
        dir="auto"
        className="min-h-12 w-full border-b border-line bg-surface px-4 text-base outline-offset-[-2px]"
      />
      <p role="status" className="sr-only">
        {answer === null ? '' : t('search.count', { count: answer.count })}
      </p>
      {/* Beside the list: there may be nothing in one but what can be chosen. */}
      {answer?.count === 0 ? <p className="px-4 py-8 text-center text-muted">{t('search.noResults')}</p> : null}
      <Command.List
        label={t('search.label')}
        className={`${answer?.count === 0 ? '' : 'p-2'} max-h-[60vh] overflow-y-auto overscroll-contain [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted`}
      >
        {answer === null ? null : <Answers answer={answer} onChoose={onChoose} onAll={onAll} />}
      </Command.List>
    </Command>
  );
}

/** Drawn again with an answer, not with each key: a line costs more than a letter may take. */
const Answers = memo(function Answers({ answer, onChoose, onAll }: Pick<Props, 'onChoose' | 'onAll'> & { answer: PaletteAnswer }) {
  const { t } = useTranslation('shell');
  return (
    <>
      {answer.groups.map((group) => (
        <Command.Group key={group.name} heading={group.heading}>
          {group.hits.map((hit) => (
            <Line key={`${hit.path} ${hit.title} ${hit.detail}`} value={itemValue(group.name, hit)} onSelect={() => onChoose(hit)}>
              <bdi className="shrink-0 truncate font-semibold">{hit.title}</bdi>
              <bdi className="min-w-0 flex-1 truncate text-sm text-muted">{hit.detail}</bdi>
              {hit.status === null ? null : (
                <span className="text-sm">
                  <StatusWord status={hit.status} />
                </span>
              )}
            </Line>
          ))}
        </Command.Group>
      ))}
      {answer.all ? (
        <Command.Group>
          <Line value="everything" onSelect={onAll}>
            <span className="text-accent">{t('search.all')}</span>
          </Line>
        </Command.Group>
      ) : null}
    </>
  );
});

function Line({ value, onSelect, children }: { value: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-baseline gap-3 rounded-md px-2 py-2 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      {children}
    </Command.Item>
  );
}
