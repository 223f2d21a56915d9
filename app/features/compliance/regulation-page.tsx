import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { useDateFacts } from '#app/features/compliance/catalogue-dates.tsx';
import { CheckedWord, useRegionWord, useSectorWord } from '#app/features/compliance/compliance-words.tsx';
import { ControlTable } from '#app/features/compliance/control-table.tsx';
import type { RegulationView } from '#app/features/compliance/load-compliance.server.ts';

/** One law or standard, provision by provision. */
export function RegulationPage({ regulation }: { regulation: RegulationView }) {
  const { t } = useTranslation('compliance');
  const formats = useFormats();
  const regionWord = useRegionWord();
  const sectorWord = useSectorWord();
  const dateFacts = useDateFacts(regulation);
  return (
    <PageFrame
      title={regulation.name}
      description={regulation.citation}
      breadcrumbs={[
        { label: t('policies'), to: href('/dashboard/policies') },
        { label: t('title'), to: href('/dashboard/policies/compliance') },
      ]}
      actions={
        regulation.mayPack ? (
          <ButtonLink to={`${href('/dashboard/audit/packs')}?${new URLSearchParams({ framework: regulation.id })}`}>
            {t('packs')}
          </ButtonLink>
        ) : null
      }
    >
      <p className="mb-6 max-w-measure">{t('technicalOnly')}</p>
      <DescriptionList
        items={[
          { term: t('column.technical'), description: <CheckedWord status={regulation.status} /> },
          { term: t('column.kind'), description: regulation.kind === 'law' ? t('kind.law') : t('kind.standard') },
          { term: t('column.region'), description: regionWord(regulation.region) },
          {
            term: t('column.sectors'),
            description: regulation.sectors === 'all' ? t('everySector') : formats.list(regulation.sectors.map(sectorWord)),
          },
          ...dateFacts,
        ]}
      />
      <Section title={t('provisions')} description={t('provisionsText')}>
        <ControlTable caption={t('provisions')} controls={regulation.controls} mayAttest={regulation.mayAttest} />
      </Section>
    </PageFrame>
  );
}
