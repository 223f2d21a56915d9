import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useLawDay, useValidityWord } from '#app/features/compliance/compliance-words.tsx';
import type { Compliance, RegulationView } from '#app/features/compliance/load-compliance.server.ts';

/** Every later date of the catalogue, the nearest first. */
export function Changes({ changes }: Pick<Compliance, 'changes'>) {
  const { t } = useTranslation('compliance');
  const lawDay = useLawDay();
  const said = (row: Compliance['changes'][number]) => {
    if (row.kind === 'inForce') return t('timeline.inForce');
    if (row.kind === 'superseded') return t('timeline.superseded', { name: row.by });
    return row.part === undefined ? t('timeline.applies') : t('timeline.appliesPart', { part: row.part });
  };
  return (
    <Section title={t('timeline.title')} description={t('timeline.text')}>
      <DataTable
        caption={t('timeline.title')}
        rows={changes}
        rowKey={(row) => `${row.id} ${row.on} ${row.kind} ${row.part ?? ''}`}
        empty={<EmptyState title={t('timeline.empty')} description={t('timeline.emptyText')} />}
        columns={[
          { key: 'name', header: t('column.name'), cell: (row) => <LawLink {...row} /> },
          { key: 'on', header: t('column.on'), cell: (row) => <span className="whitespace-nowrap">{lawDay(row.on)}</span> },
          { key: 'change', header: t('column.change'), cell: (row) => <span className="block sm:min-w-48">{said(row)}</span> },
        ]}
      />
    </Section>
  );
}

/** The laws and standards that others took the place of. */
export function Past({ past }: Pick<Compliance, 'past'>) {
  const { t } = useTranslation('compliance');
  const lawDay = useLawDay();
  return (
    <Section title={t('past.title')} description={t('past.text')}>
      <DataTable
        caption={t('past.title')}
        rows={past}
        rowKey={(row) => row.id}
        empty={<EmptyState title={t('past.empty')} description={t('past.emptyText')} />}
        columns={[
          {
            key: 'name',
            header: t('column.name'),
            cell: (row) => (
              <>
                <LawLink {...row} />
                <span className="block font-normal text-muted sm:min-w-56">
                  <bdi>{row.citation}</bdi>
                </span>
              </>
            ),
          },
          { key: 'by', header: t('dates.supersededBy'), cell: (row) => <Successor {...row.supersededBy} /> },
          { key: 'on', header: t('column.on'), cell: (row) => <span className="whitespace-nowrap">{lawDay(row.supersededBy.on)}</span> },
        ]}
      />
    </Section>
  );
}

function LawLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to={href('/dashboard/policies/compliance/:regulation', { regulation: id })} className="text-link">
      <bdi>{name}</bdi>
    </Link>
  );
}

function Successor({ name, law }: { name: string; law?: string | undefined }) {
  return law === undefined ? <bdi>{name}</bdi> : <LawLink id={law} name={name} />;
}

/** The dates of one law or standard as terms and values. */
export function useDateFacts({ dates, validity }: Pick<RegulationView, 'dates' | 'validity'>) {
  const { t } = useTranslation('compliance');
  const lawDay = useLawDay();
  const validityWord = useValidityWord();
  const { inForce, applies, supersededBy, draftOf, amendedBy, leavesOut, source, checked } = dates;
  const parts = applies.length > 1 || applies.some(({ part }) => part !== undefined);
  return [
    {
      term: t('column.validity'),
      description: draftOf === undefined ? validityWord(validity) : t('dates.draftOf', { day: lawDay(draftOf) }),
    },
    ...(draftOf === undefined
      ? [{ term: t('dates.inForce'), description: inForce === undefined ? t('dates.unknown') : lawDay(inForce) }]
      : []),
    ...(applies.length === 0
      ? []
      : [
          {
            term: t('dates.applies'),
            description: (
              <ul className="grid gap-1">
                {applies.map(({ part, from }) => (
                  <li key={`${part} ${from}`}>
                    {lawDay(from)}
                    {parts ? (
                      <span className="block text-muted">
                        <bdi>{part ?? t('dates.everythingElse')}</bdi>
                      </span>
                    ) : null}
                  </li>
                ))}
              </ul>
            ),
          },
        ]),
    ...(amendedBy === undefined ? [] : [{ term: t('dates.amendedBy'), description: <bdi>{amendedBy}</bdi> }]),
    ...(leavesOut === undefined ? [] : [{ term: t('dates.leavesOut'), description: t(`leavesOut.${leavesOut}`) }]),
    ...(supersededBy === undefined
      ? []
      : [
          {
            term: t('dates.supersededBy'),
            description: (
              <>
                <Successor {...supersededBy} /> <span className="block text-muted">{lawDay(supersededBy.on)}</span>
              </>
            ),
          },
        ]),
    {
      term: t('dates.source'),
      description: (
        <a href={source} rel="noreferrer" className="text-link wrap-anywhere" dir="ltr">
          {source}
        </a>
      ),
    },
    { term: t('dates.checked'), description: checked === undefined ? t('dates.notChecked') : lawDay(checked) },
  ];
}
