import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Survival } from '#app/features/public/evidence/evidence-schema.ts';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';

const NAMES = {
  'kill -9 of the first start': 'firstStart',
  'kill -9 of the server during load': 'server',
  'kill -9 of the database during load': 'database',
  'kill -9 of one of two worker processes': 'worker',
  'kill between the consumption of an approval and its call': 'approval',
  'SIGTERM under load': 'stop',
} as const;

/** The killed process, how often, and the losses. */
export function SurvivalTable({ rows }: { rows: readonly Survival[] }) {
  const { t } = useTranslation('evidence');
  const formats = useFormats();
  const count = (value: number | undefined) => (value === undefined ? t('survival.notCounted') : formats.number(value));
  return (
    <PlainTable
      label={t('survival.title')}
      columns={[
        t('survival.what'),
        t('survival.date'),
        t('survival.kills'),
        t('survival.acknowledged'),
        t('survival.lost'),
        t('survival.again'),
        t('survival.proven'),
      ]}
      numbers={[2, 3, 4, 5, 6]}
      rows={rows.map((row) => ({
        key: row.what,
        cells: [
          row.what in NAMES ? (
            t(`survival.names.${NAMES[row.what as keyof typeof NAMES]}`)
          ) : (
            <span key="what" lang="en">
              {row.what}
            </span>
          ),
          formats.date(row.date),
          count(row.kills),
          count(row.acknowledgedRuns),
          count(row.lostRuns),
          count(row.completedStepsRunAgain),
          count(row.eventsProven),
        ],
      }))}
    />
  );
}
