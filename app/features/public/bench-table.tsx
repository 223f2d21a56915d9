import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Formats, useFormats } from '#app/components/reader.tsx';
import { StatusWord } from '#app/components/status-word.tsx';
import type { BenchLine } from '#app/features/public/evidence-schema.ts';
import { PlainTable } from '#app/features/public/plain-table.tsx';

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
          nameOf(line.what.trim(), t) ?? (
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

/** The line's name in the reader's language; null for one that has none yet, which is then shown as the bench wrote it. */
function nameOf(what: string, t: TFunction<'evidence'>): string | null {
  const number = (pattern: RegExp) => pattern.exec(what)?.[1];
  const setup = /, (server alone|server and \d+ workers?)$/.exec(what)?.[1];
  const workers =
    setup === undefined ? '' : setup === 'server alone' ? t('bench.alone') : t('bench.withWorkers', { number: /\d+/.exec(setup)?.[0] });
  const rules: readonly [RegExp, () => string][] = [
    [/^routing decision p95, /, () => t('lines.routing', { number: number(/p95, (\d+)/) })],
    [/^first start, /, () => t('lines.firstStart')],
    [/^start on existing data$/, () => t('lines.nextStart')],
    [/^idle memory/, () => t('lines.idleMemory')],
    [/^steps a minute/, () => t('lines.steps', { workers })],
    [/^step start p95/, () => t('lines.stepStart', { rate: number(/at ([\d,]+)/), workers })],
    [/^event loop p99/, () => t('lines.eventLoop')],
    [/^CPU a run, web server/, () => t('lines.cpuServer')],
    [/^CPU a run, database/, () => t('lines.cpuDatabase')],
    [/^failed or unfinished runs/, () => t('lines.failed')],
    [/^whole run p95/, () => t('lines.wholeRun')],
    [/^\d+ runs that each wait/, () => t('lines.waiting', { number: number(/^(\d+)/) })],
    [/^most calls under way/, () => t('lines.atOnce')],
    [/^list of 50 runs/, () => t('lines.list')],
    [/^CPU a request, from a constant/, () => t('lines.cpuConstant')],
    [/^CPU a request, whole/, () => t('lines.cpuWhole')],
  ];
  return rules.find(([pattern]) => pattern.test(what))?.[1]() ?? null;
}
