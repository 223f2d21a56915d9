import type { TFunction } from 'i18next';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { KnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';

type Group = KnownData['groups'][number];

/** The name of a step, or what else a group of names is of. */
export const groupTitle = (group: Group, t: TFunction<'workflows'>): string =>
  group.from === 'step' ? (group.name ?? '') : t(`known.from.${group.from}`);
export const groupKey = (group: Group): string => `${group.from} ${group.values[0]?.expression}`;

export function KnownWords({ expression, title, sample }: Group['values'][number]) {
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <code dir="ltr" className="text-sm wrap-anywhere">
          {expression}
        </code>
        {title !== '' && <bdi className="text-sm text-muted">{revealedText(title)}</bdi>}
      </span>
      {sample !== null && sample !== '' && (
        <span className="line-clamp-2 text-sm wrap-anywhere text-muted">
          <bdi>{revealedText(sample)}</bdi>
        </span>
      )}
    </>
  );
}
