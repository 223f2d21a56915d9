import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { BenchTable } from '#app/features/public/evidence/bench-table.tsx';
import { ClaimsMeasured } from '#app/features/public/evidence/claims-measured.tsx';
import type { Evidence } from '#app/features/public/evidence/evidence-schema.ts';
import { SurvivalTable } from '#app/features/public/evidence/survival-table.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';
import { PublicPart } from '#app/features/public/frame/public-part.tsx';

/** Measurements with date, machine and the way to repeat them; beside the claims that rest on them. */
export function EvidencePage({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation('evidence');
  const formats = useFormats();
  return (
    <PublicFrame title={t('title')} description={t('lead')}>
      <div className="mx-auto max-w-page px-4 pb-24 sm:px-8">
        <PublicHeading title={t('title')} lead={t('lead')} />
        <ClaimsMeasured evidence={evidence} />
        <p className="mt-4 max-w-measure text-sm text-muted">{t('claims.others')}</p>
        {evidence.benches.map((bench) => (
          <PublicPart key={bench.at} title={t('bench.title', { date: formats.date(bench.at) })} lead={t('bench.lead')}>
            <div className="grid grid-cols-1 gap-8">
              <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-2">
                <DescriptionList
                  items={[
                    { term: t('bench.at'), description: formats.exactTime(bench.at) },
                    {
                      term: t('bench.machine'),
                      description: t('bench.machineText', {
                        cpu: bench.machine.cpu,
                        cores: formats.number(bench.machine.cores),
                        memory: formats.number(bench.machine.memoryGb, { style: 'unit', unit: 'gigabyte' }),
                      }),
                    },
                    { term: t('bench.node'), description: <bdi dir="ltr">{bench.machine.node}</bdi> },
                    { term: t('bench.took'), description: formats.duration(bench.seconds * 1_000) },
                  ]}
                />
                <div>
                  <p className="mb-2 text-sm font-semibold">{t('repeat')}</p>
                  <CodeSample label={t('repeat')} code="npm ci && npm run bench" />
                </div>
              </div>
              <BenchTable label={t('bench.title', { date: formats.date(bench.at) })} lines={bench.lines} />
            </div>
          </PublicPart>
        ))}
        <PublicPart title={t('survival.title')} lead={t('survival.lead')}>
          <div className="grid grid-cols-1 gap-8">
            <SurvivalTable rows={evidence.survival} />
            <div className="max-w-2xl">
              <p className="mb-2 text-sm font-semibold">{t('repeat')}</p>
              <CodeSample label={t('survival.repeatLabel')} code="npm ci && npm run build && npx vitest run --project survival" />
            </div>
          </div>
        </PublicPart>
      </div>
    </PublicFrame>
  );
}
