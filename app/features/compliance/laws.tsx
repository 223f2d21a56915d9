import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { FoldSection } from '#app/components/list/fold-section.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { REGIONS, SECTORS } from '#app/domain/audit/compliance.ts';
import { CHECKED_WORDS, CheckedWord, useRegionWord, useSectorWord, useValidityWord } from '#app/features/compliance/compliance-words.tsx';
import type { Compliance } from '#app/features/compliance/load-compliance.server.ts';

const STATUSES = ['nonCompliant', 'underReview', 'compliant'] as const;

/** Laws and standards by where they apply: each place folded to their number and its worst state, and open where the list is narrowed. */
export function Laws({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  const regionWord = useRegionWord();
  const laws = `${href('/dashboard/policies/compliance')}?part=laws`;
  const narrowed = Object.values(view.filter).some((value) => value !== '');
  return (
    <Section title={t('regulations')} description={`${t('regulationsText', { count: view.total })} ${t('technicalOnly')}`}>
      <FilterForm view={view} />
      {view.regulations.length === 0 ? (
        <EmptyState title={t('empty')} description={t('emptyText')} action={<ButtonLink to={laws}>{t('clear')}</ButtonLink>} />
      ) : null}
      {REGIONS.map((region) => {
        const rows = view.regulations.filter((law) => law.region === region);
        const worst = STATUSES.find((status) => rows.some((law) => law.status === status));
        return worst === undefined ? null : (
          <FoldSection
            key={region}
            title={regionWord(region)}
            count={rows.length}
            open={narrowed}
            headingLevel={3}
            summary={<CheckedWord status={worst} />}
          >
            <LawTable caption={regionWord(region)} rows={rows} />
          </FoldSection>
        );
      })}
    </Section>
  );
}

function LawTable({ caption, rows }: { caption: string; rows: Compliance['regulations'] }) {
  const { t } = useTranslation('compliance');
  const formats = useFormats();
  const sectorWord = useSectorWord();
  const validityWord = useValidityWord();
  return (
    <DataTable
      caption={caption}
      rows={rows}
      rowKey={(row) => row.id}
      empty={null}
      columns={[
        {
          key: 'name',
          header: t('column.name'),
          cell: (row) => (
            <>
              <Link to={href('/dashboard/policies/compliance/:regulation', { regulation: row.id })} className="text-link">
                <bdi>{row.name}</bdi>
              </Link>
              <bdi className="block sm:min-w-56 font-normal text-muted">{row.citation}</bdi>
            </>
          ),
        },
        {
          key: 'validity',
          header: t('column.validity'),
          cell: (row) => <span className="block sm:min-w-28">{validityWord(row.validity)}</span>,
        },
        {
          key: 'status',
          header: t('column.technical'),
          cell: (row) => (
            <>
              <CheckedWord status={row.status} />
              <span className="block whitespace-nowrap text-muted tabular-nums">
                {t('metOf', { met: formats.number(row.met), all: formats.number(row.controls) })}
              </span>
            </>
          ),
        },
        {
          key: 'region',
          header: t('column.sectors'),
          cell: (row) => (
            <span className="block sm:min-w-32">
              {row.sectors === 'all' ? t('everySector') : formats.list(row.sectors.map(sectorWord))}
            </span>
          ),
        },
      ]}
    />
  );
}

function FilterForm({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  const regionWord = useRegionWord();
  const sectorWord = useSectorWord();
  const { filter } = view;
  const fields = [
    {
      name: 'region',
      label: t('column.region'),
      all: t('allRegions'),
      value: filter.region,
      options: REGIONS.map((value) => ({ value, label: regionWord(value) })),
    },
    {
      name: 'sector',
      label: t('column.sector'),
      all: t('allSectors'),
      value: filter.sector,
      options: SECTORS.map((value) => ({ value, label: sectorWord(value) })),
    },
    {
      name: 'status',
      label: t('column.technical'),
      all: t('anyStatus'),
      value: filter.status,
      options: STATUSES.map((value) => ({ value, label: t(CHECKED_WORDS[value]) })),
    },
  ];
  return (
    <Form method="get" className="mb-4 flex flex-wrap items-end gap-3" preventScrollReset>
      <input type="hidden" name="part" value="laws" />
      {fields.map((field) => (
        <div key={field.name} className="min-w-40 grow sm:grow-0">
          <FilterChoice {...field} id={`compliance-${field.name}`} />
        </div>
      ))}
      <Button type="submit">{t('filter')}</Button>
    </Form>
  );
}
