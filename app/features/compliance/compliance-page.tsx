import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { AreaLinks } from '#app/components/page/area-links.tsx';
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
  const base = href('/dashboard/policies/compliance');
  return (
    <PageFrame
      title={t('title')}
      part={partOf(t, view)}
      description={t('description')}
      breadcrumbs={[{ label: t('policies'), to: href('/dashboard/policies') }]}
      actions={
        <>
          <ButtonLink to={href('/dashboard/policies/compliance/incidents')}>{t('incidents')}</ButtonLink>
          {view.mayPack ? <ButtonLink to={href('/dashboard/audit/packs')}>{t('packs')}</ButtonLink> : null}
        </>
      }
    >
      <div className="mb-6">
        <Notice kind="info" title={t('computed')}>
          {t('computedText')}
        </Notice>
      </div>
      <AreaLinks
        label={t('title')}
        links={[
          { label: t('controls'), to: base, current: view.part === 'controls' },
          { label: t('regulations'), to: `${base}?part=laws`, current: view.part === 'laws' },
          { label: t('timeline.title'), to: `${base}?part=dates`, current: view.part === 'dates' },
        ]}
      />
      {/* Its first heading stands under the links, without a rule of its own. */}
      <div>
        {view.part === 'controls' ? <Controls view={view} /> : null}
        {view.part === 'laws' ? <Laws view={view} /> : null}
        {view.part === 'dates' ? (
          <>
            <Changes changes={view.changes} />
            <Past past={view.past} />
          </>
        ) : null}
      </div>
    </PageFrame>
  );
}

/** The first part has the name of the page. */
function partOf(t: TFunction<'compliance'>, { part }: Compliance): string | undefined {
  if (part === 'laws') return t('regulations');
  return part === 'dates' ? t('timeline.title') : undefined;
}

function Controls({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  return (
    <Section title={t('controls')} description={t('controlsText')}>
      <ControlTable caption={t('controls')} controls={view.controls} mayAttest={view.mayAttest} />
    </Section>
  );
}

function Laws({ view }: { view: Compliance }) {
  const { t } = useTranslation('compliance');
  const formats = useFormats();
  const regionWord = useRegionWord();
  const sectorWord = useSectorWord();
  const validityWord = useValidityWord();
  return (
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
            action={<ButtonLink to={`${href('/dashboard/policies/compliance')}?part=laws`}>{t('clear')}</ButtonLink>}
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
            header: t('column.reach'),
            cell: (row) => (
              <span className="block sm:min-w-32">
                {regionWord(row.region)}
                <span className="block text-muted">
                  {row.sectors === 'all' ? t('everySector') : formats.list(row.sectors.map(sectorWord))}
                </span>
              </span>
            ),
          },
        ]}
      />
    </Section>
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
