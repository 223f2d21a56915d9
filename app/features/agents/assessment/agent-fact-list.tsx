import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { AgentFacts } from '#app/domain/inventory/impact-assessment.ts';

/** The known facts of an agent. */
export function AgentFactList({ facts }: { facts: AgentFacts }) {
  const { t } = useTranslation('inventory');
  const formats = useFormats();
  const names = (all: readonly string[]) => (all.length === 0 ? '–' : <bdi>{formats.series(all)}</bdi>);
  return (
    <DescriptionList
      items={[
        { term: t('column.purpose'), description: <span dir="auto">{facts.purpose || '–'}</span> },
        { term: t('column.owner'), description: facts.owner === null ? t('owner.unowned') : <bdi>{facts.owner}</bdi> },
        { term: t('column.risk'), description: facts.riskClass === null ? t('risk.none') : t(`riskOf.${facts.riskClass}`) },
        {
          term: t('column.data'),
          description: facts.dataClasses.length === 0 ? '–' : formats.series(facts.dataClasses.map((one) => t(`data.${one}`))),
        },
        { term: t('fact.models'), description: names(facts.models) },
        {
          term: t('fact.tools'),
          description:
            facts.tools.length === 0 ? (
              '–'
            ) : (
              <ul>
                {facts.tools.map(({ name, connection, effect }) => (
                  <li key={`${connection} ${name}`}>
                    <bdi>{name}</bdi> (<bdi>{connection}</bdi>): {t(`effect.${effect}`)}
                  </li>
                ))}
              </ul>
            ),
        },
        { term: t('fact.policies'), description: names(facts.policies) },
        { term: t('fact.workflows'), description: names(facts.workflows) },
        { term: t('fact.runs'), description: formats.number(facts.runs) },
        { term: t('fact.approvals'), description: formats.number(facts.approvals) },
        { term: t('fact.incidents'), description: formats.number(facts.incidents) },
      ]}
    />
  );
}
