import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { AgentDocument } from '#app/domain/workflows/agent.ts';

/** The parts of an agent, from its document. */
export function AgentFacts({ document }: { document: AgentDocument | null }) {
  const { t } = useTranslation('agents');
  const format = useFormats();
  if (document === null) return null;
  const { budget } = document;
  return (
    <DescriptionList
      items={[
        {
          term: t('form.instructions'),
          description: (
            <p dir="auto" className="max-w-measure text-as-parent whitespace-pre-wrap">
              {revealedText(document.instructions)}
            </p>
          ),
        },
        {
          term: t('form.model'),
          description:
            document.model === null ? t('form.modelNone') : <bdi>{revealedText(`${document.model} · ${document.connection}`)}</bdi>,
        },
        {
          term: t('form.tools'),
          description:
            document.tools.length === 0 ? (
              t('page.noTools')
            ) : (
              <ul>
                {document.tools.map((tool) => (
                  <li key={`${tool.connection}/${tool.capability}`}>
                    <bdi>{revealedText(`${tool.capability} · ${tool.connection}`)}</bdi>
                  </li>
                ))}
              </ul>
            ),
        },
        {
          term: t('form.budget'),
          description: (
            <ul>
              <li>{t('page.steps', { count: budget.steps, number: format.number(budget.steps) })}</li>
              <li>{t('page.tokens', { count: budget.tokens, number: format.number(budget.tokens) })}</li>
              {budget.costMicros === null ? null : <li>{format.money(budget.costMicros)}</li>}
              <li>{t('page.time', { time: format.duration(budget.seconds * 1_000) })}</li>
            </ul>
          ),
        },
      ]}
    />
  );
}
