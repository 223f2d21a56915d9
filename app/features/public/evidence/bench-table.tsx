import { useTranslation } from 'react-i18next';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Formats } from '#app/domain/web/formats.ts';
import { benchLineName } from '#app/features/public/evidence/bench-line-name.ts';
import type { BenchLine } from '#app/features/public/evidence/evidence-schema.ts';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';

/** Every line of one run of the bench, with the limit that it must keep. */
export function BenchTable({ label, lines }: { label: string; lines: readonly BenchLine[] }) {
  const { t } = useTranslation('evidence');
  const formats = useFormats();
  return (
    <PlainTable
      label={label}
      columns={[t('bench.what'), t('bench.measured'), t('bench.limit'), t('bench.verdict')]}
      numbers={[1, 2]}
      rows={lines.map((line, index) => ({
        // Lines below others bear the same words: a line is its place.
        key: `${index} ${line.what}`,
        quiet: line.what.startsWith(' '),
        cells: [
          benchLineName(line.what.trim(), t, formats.number) ?? (
            <span lang="en" dir="ltr">
              {line.what.trim()}
            </span>
          ),
          line.value === null ? t('claims.none') : figure(line.value, line.unit, formats),
          line.limit === null
            ? ''
            : t(line.better === 'more' ? 'bench.atLeast' : 'bench.atMost', { figure: figure(line.limit, line.unit, formats) }),
          line.limit === null ? '' : <StatusWord key="verdict" status={holds(line) ? 'success' : 'failed'} />,
        ],
      }))}
    />
  );
}

function holds({ value, limit, better }: BenchLine): boolean {
  if (value === null || limit === null) return false;
  return better === 'more' ? value >= limit : value <= limit;
}

/** A figure of the bench with its unit, as one writes it in the reader's language. */
export function figure(value: number, unit: string, formats: Formats): string {
  const digits = { maximumFractionDigits: value >= 100 ? 0 : 2 };
  if (unit === 'ms') return formats.number(value, { style: 'unit', unit: 'millisecond', ...digits });
  if (unit === 'MB') return formats.number(value, { style: 'unit', unit: 'megabyte', ...digits });
  const number = formats.number(value, digits);
  return unit === '' ? number : `${number} ${unit}`;
}
