import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { figure } from '#app/features/public/evidence/bench-table.tsx';
import type { ClaimKey } from '#app/features/public/evidence/claims.ts';
import type { Evidence } from '#app/features/public/evidence/evidence-schema.ts';
import { newestFigure } from '#app/features/public/evidence/newest-figure.ts';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';
import { useClaims } from '#app/features/public/landing/use-claims.ts';

/** Each performance claim with its measured figure, or with the plain statement that there is none. */
export function ClaimsMeasured({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation('evidence');
  const claim = useClaims();
  const formats = useFormats();
  const { benches, survival } = evidence;
  const of = (start: string, unit: string) => {
    const value = newestFigure(benches, start);
    return value === null ? t('claims.none') : figure(value, unit, formats);
  };
  const sum = (pick: 'kills' | 'lostRuns') => formats.number(survival.reduce((all, row) => all + (row[pick] ?? 0), 0));
  const rows: readonly { key: ClaimKey; measured: string; how: string }[] = [
    { key: 'routing', measured: of('routing decision p95', 'ms'), how: t('claims.routing') },
    {
      key: 'concurrentAgents',
      measured: of('  most calls under way at once', ''),
      how: t('claims.concurrentAgents', { time: of('1000 runs that each wait', 'ms') }),
    },
    { key: 'tasksPerMinute', measured: of('steps a minute', ''), how: t('claims.tasksPerMinute') },
    { key: 'latency', measured: of('step start p95', 'ms'), how: t('claims.latency') },
    {
      key: 'reliability',
      measured: t('claims.notMeasured'),
      how: t('claims.reliability', { kills: sum('kills'), lost: sum('lostRuns') }),
    },
    { key: 'encryption', measured: t('claims.tested'), how: t('claims.encryption') },
    { key: 'connectors', measured: t('claims.counted'), how: t('claims.connectors') },
  ];
  return (
    <PlainTable
      label={t('claims.title')}
      columns={[t('claims.claim'), t('claims.measured'), t('claims.how')]}
      rows={rows.map(({ key, measured, how }) => ({
        key,
        cells: [<Whole key="claim" text={claim(key)} />, <Whole key="measured" text={measured} />, how],
      }))}
    />
  );
}

/** A claim or its figure, on one line where there is room for one. */
function Whole({ text }: { text: string }) {
  return <span className="md:whitespace-nowrap">{text}</span>;
}
