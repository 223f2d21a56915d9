import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { RouteCandidate } from '#app/domain/runs/route-candidates.ts';

const PROTOCOLS: Record<string, string> = { mcp: 'MCP', a2a: 'A2A' };

/** The candidates with their scores as bars, the choice, and why the others were not chosen. */
export function CandidateTable({ caption, candidates }: { caption: string; candidates: readonly RouteCandidate[] }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  const points = (value: number) => formats.number(Math.round(value * 100));
  return (
    <DataTable
      caption={caption}
      rows={candidates}
      rowKey={(row) => row.capabilityId}
      empty={
        <EmptyPart
          title={t('candidates.none')}
          action={
            <Link to={href('/dashboard/plugins')} className="text-link inline-block py-0.5">
              {t('candidates.toPlugins')}
            </Link>
          }
        />
      }
      columns={[
        {
          key: 'name',
          header: t('candidates.capability'),
          cell: (row) => (
            <>
              <bdi className="wrap-anywhere">{revealedText(row.name)}</bdi>
              <span className="block font-normal text-muted">
                <bdi>{row.connection}</bdi>
                {row.protocol === null ? null : ` · ${PROTOCOLS[row.protocol] ?? row.protocol}`}
              </span>
            </>
          ),
        },
        { key: 'score', header: t('candidates.score'), cell: (row) => <Score candidate={row} /> },
        {
          key: 'parts',
          header: t('candidates.parts'),
          cell: (row) =>
            row.parts === null ? (
              '–'
            ) : (
              <ul className="flex flex-wrap gap-x-4 text-muted tabular-nums">
                {(['skill', 'health', 'latency', 'price'] as const).map((part) => (
                  <li key={part} className="whitespace-nowrap">
                    {t(`candidates.${part}`)} {row.parts?.[part] == null ? '–' : points(row.parts[part])}
                  </li>
                ))}
              </ul>
            ),
        },
        {
          key: 'outcome',
          header: t('candidates.outcome'),
          cell: (row) =>
            row.chosen ? (
              <Badge tone="accent">{t('candidates.chosen')}</Badge>
            ) : row.excluded === null ? (
              t('candidates.lower')
            ) : (
              <ExplanationText explanation={row.excluded} />
            ),
        },
      ]}
    />
  );
}

function Score({ candidate: { score, chosen } }: { candidate: RouteCandidate }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  if (score === null) return <span className="text-muted">{t('candidates.excluded')}</span>;
  return (
    <span className="flex items-center gap-3">
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" className="h-3 w-28 shrink-0 rtl:-scale-x-100">
        <rect width="100" height="12" className="fill-raised" />
        <rect width={Math.max(1, score * 100)} height="12" className={chosen ? 'fill-accent' : 'fill-edge'} />
      </svg>
      <span className="tabular-nums">{formats.number(Math.round(score * 100))}</span>
    </span>
  );
}
