import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ExampleFrame } from '#app/features/public/example/example-frame.tsx';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';

/** Millionths of a dollar. */
const COSTS = [
  { key: 'payments', runs: 612, micros: 184_200_000 },
  { key: 'records', runs: 301, micros: 96_400_000 },
  { key: 'purchases', runs: 160, micros: 21_700_000 },
] as const;

const ERRORS = [
  { key: 'timeout', runs: 6 },
  { key: 'refused', runs: 5 },
  { key: 'schema', runs: 2 },
] as const;

/** The cost of runs and the causes of failures, of the same example week. */
export function ExampleTables() {
  const { t } = useTranslation('product');
  const formats = useFormats();
  return (
    <div className="mt-12 grid gap-x-12 gap-y-10 lg:grid-cols-2">
      <ExampleFrame caption={t('example.cost.caption')}>
        <PlainTable
          narrow
          label={t('example.cost.caption')}
          columns={[t('example.cost.workflow'), t('example.cost.runs'), t('example.cost.cost')]}
          numbers={[1, 2]}
          rows={COSTS.map(({ key, runs, micros }) => ({
            key,
            cells: [t(`example.cost.${key}`), formats.number(runs), formats.money(micros)],
          }))}
        />
      </ExampleFrame>
      <ExampleFrame caption={t('example.errors.caption')}>
        <PlainTable
          narrow
          label={t('example.errors.caption')}
          columns={[t('example.errors.reason'), t('example.errors.runs')]}
          numbers={[1]}
          rows={ERRORS.map(({ key, runs }) => ({ key, cells: [t(`example.errors.${key}`), formats.number(runs)] }))}
        />
      </ExampleFrame>
    </div>
  );
}
