import { useTranslation } from 'react-i18next';
import { StatusWord } from '#app/components/data/status-word.tsx';
import type { STATUS_GROUPS, TERMS } from '#app/features/help/terms.ts';

const ROW = 'grid gap-x-6 gap-y-0.5 border-b border-line py-2.5 compact:py-1.5 sm:grid-cols-[12rem_minmax(0,1fr)]';

export function GlossaryList({ terms }: { terms: readonly (typeof TERMS)[number][] }) {
  const { t } = useTranslation('help');
  return (
    <dl className="border-t border-line">
      {terms.map((term) => (
        <div key={term} className={ROW}>
          <dt className="font-semibold">{t(`term.${term}`)}</dt>
          <dd className="max-w-measure">{t(`meaning.${term}`)}</dd>
        </div>
      ))}
    </dl>
  );
}

type GroupId = keyof typeof STATUS_GROUPS;
type Group = { id: GroupId; statuses: readonly (typeof STATUS_GROUPS)[GroupId][number][] };
export function StatusList({ groups }: { groups: readonly Group[] }) {
  const { t } = useTranslation('help');
  return (
    <div className="grid grid-cols-1 gap-8">
      {groups.map(({ id, statuses }) => (
        <div key={id}>
          <h3 className="mb-2 font-semibold">{t(`statusGroup.${id}`)}</h3>
          <dl className="border-t border-line">
            {statuses.map((status) => (
              <div key={status} className={ROW}>
                <dt>
                  <StatusWord status={status} />
                </dt>
                <dd className="max-w-measure">{t(`status.${status}`)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}
