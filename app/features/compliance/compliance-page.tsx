import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { REGIONS, SECTORS } from '#app/domain/audit/compliance.ts';
import { Changes, Past } from '#app/features/compliance/catalogue-dates.tsx';
import { CHECKED_WORDS, CheckedWord, useRegionWord, useSectorWord, useValidityWord } from '#app/features/compliance/compliance-words.tsx';
import { ControlTable } from '#app/features/compliance/control-table.tsx';
import type { Compliance } from '#app/features/compliance/load-compliance.server.ts';

const STATUSES = ['compliant', 'nonCompliant', 'underReview'] as const;

/** The workspace's controls, mapped to laws and standards. */
export function CompliancePage({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  const formats = useFormats();
  const regionWord = useRegionWord();
  const sectorWord = useSectorWord();
  const validityWord = useValidityWord();
  return (
    <PageFrame
      title={t('title')}
      description={t('description')}
      breadcrumbs={[{ label: t('policies'), to: href('/dashboard/policies') }]}
      actions={view.mayPack ? <ButtonLink to={href('/dashboard/audit/packs')}>{t('packs')}</ButtonLink> : null}
    >
      <div className="mb-6">
        <Notice kind="info" title={t('computed')}>
          {t('computedText')}
        </Notice>
      </div>
      <Section title={t('controls')} description={t('controlsText')}>
        <ControlTable caption={t('controls')} controls={view.controls} />
      </Section>
      <Changes changes={view.changes} />
      <Section title={t('regulations')} description={`${t('regulationsText', { count: view.total })} ${t('technicalOnly')}`}>
        <FilterForm view={view} />
        <DataTable
          caption={t('regulations')}
          rows={view.regulations}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              title={t('empty')}
              description={t('emptyText')}
              action={<ButtonLink to={href('/dashboard/policies/compliance')}>{t('clear')}</ButtonLink>}
            />
          }
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
            { key: 'status', header: t('column.technical'), cell: (row) => <CheckedWord status={row.status} /> },
            {
              key: 'met',
              header: t('column.met'),
              align: 'end',
              cell: (row) => (
                <span className="whitespace-nowrap tabular-nums">
                  {t('metOf', { met: formats.number(row.met), all: formats.number(row.controls) })}
                </span>
              ),
            },
            { key: 'region', header: t('column.region'), cell: (row) => regionWord(row.region) },
            {
              key: 'sectors',
              header: t('column.sectors'),
              cell: (row) => (
                <span className="block sm:min-w-32">
                  {row.sectors === 'all' ? t('everySector') : formats.list(row.sectors.map(sectorWord))}
                </span>
              ),
            },
          ]}
        />
      </Section>
      <Past past={view.past} />
    </PageFrame>
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
      value: filter.region,
      options: REGIONS.map((value) => ({ value, label: regionWord(value) })),
    },
    {
      name: 'sector',
      label: t('column.sector'),
      value: filter.sector,
      options: SECTORS.map((value) => ({ value, label: sectorWord(value) })),
    },
    {
      name: 'status',
      label: t('column.technical'),
      value: filter.status,
      options: STATUSES.map((value) => ({ value, label: t(CHECKED_WORDS[value]) })),
    },
  ];
  return (
    <Form method="get" className="mb-4 flex flex-wrap items-end gap-3" preventScrollReset>
      {fields.map((field) => (
        <div key={field.name} className="min-w-40 grow sm:grow-0">
          <FilterChoice {...field} id={`compliance-${field.name}`} all={t('all')} />
        </div>
      ))}
      <Button type="submit">{t('filter')}</Button>
    </Form>
  );
}
