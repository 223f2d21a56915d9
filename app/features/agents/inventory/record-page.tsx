import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ReviewWord, RiskClassWord } from '#app/features/agents/inventory/inventory-words.tsx';
import type { LoadedRecord } from '#app/features/agents/inventory/load-record.server.ts';
import { RecordForm } from '#app/features/agents/inventory/record-form.tsx';

type Props = { agent: LoadedRecord; lastResult: FormResult | undefined };

/** One agent's record in the inventory, where the agent is used, and the form that changes the record. */
export function RecordPage({ agent, lastResult }: Props) {
  const { t } = useTranslation('inventory');
  return (
    <PageFrame
      title={t('record.title', { name: agent.name })}
      breadcrumbs={[
        { label: t('agents'), to: `${href('/dashboard/agents')}?owner=all` },
        { label: t('list.title'), to: href('/dashboard/agents/inventory') },
      ]}
      actions={
        <>
          <ButtonLink to={agent.path}>{t('record.toAgent')}</ButtonLink>
          <ButtonLink to={href('/dashboard/agents/inventory/:agent/assessment', { agent: agent.id })}>{t('record.assessment')}</ButtonLink>
        </>
      }
    >
      <Section title={t('record.facts')}>
        <Facts agent={agent} />
      </Section>
      {agent.mayKeep ? (
        <Section title={t('record.edit')} description={t('record.editText')}>
          <RecordForm agent={agent} lastResult={lastResult} />
        </Section>
      ) : null}
      <Section title={t('record.uses')} description={t('record.usesText')}>
        <Links
          empty={t('record.noUses')}
          rows={agent.uses.map(({ id, name }) => ({ id, name, to: href('/dashboard/workflows/:workflow', { workflow: id }) }))}
        />
      </Section>
      <Section title={t('record.incidents')}>
        <Links
          empty={t('record.noIncidents')}
          rows={agent.incidents.map(({ id, number, title }) => ({
            id,
            name: `${title} · #${number}`,
            to: href('/dashboard/policies/compliance/incidents/:incident', { incident: id }),
          }))}
        />
      </Section>
    </PageFrame>
  );
}

function Facts({ agent }: { agent: LoadedRecord }) {
  const { t } = useTranslation('inventory');
  const formats = useFormats();
  const { kept } = agent;
  if (kept === null) return <EmptyPart title={t('record.none')} />;
  const { record, ownerName, by, at } = kept;
  return (
    <DescriptionList
      items={[
        { term: t('column.owner'), description: ownerName === null ? t('owner.unowned') : <bdi>{ownerName}</bdi> },
        {
          term: t('column.purpose'),
          description: (
            <span dir="auto" className="whitespace-pre-wrap">
              {record.purpose || '–'}
            </span>
          ),
        },
        { term: t('column.risk'), description: <RiskClassWord risk={record.riskClass ?? 'none'} /> },
        {
          term: t('column.data'),
          description: record.dataClasses.length === 0 ? '–' : formats.series(record.dataClasses.map((one) => t(`data.${one}`))),
        },
        {
          term: t('column.review'),
          description: (
            <span className="flex flex-wrap items-center gap-2">
              {record.reviewOn === null ? null : formats.day(record.reviewOn)}
              <ReviewWord review={agent.review} />
            </span>
          ),
        },
        {
          term: t('record.written'),
          description: (
            <>
              <bdi>{by ?? t('formerMember')}</bdi>, <RelativeTime at={at} />
            </>
          ),
        },
      ]}
    />
  );
}

function Links({ rows, empty }: { rows: readonly { id: string; name: string; to: string }[]; empty: string }) {
  if (rows.length === 0) return <EmptyPart title={empty} />;
  return (
    <ul className="grid gap-1">
      {rows.map(({ id, name, to }) => (
        <li key={id}>
          <Link to={to} className="text-link inline-block py-0.5">
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
