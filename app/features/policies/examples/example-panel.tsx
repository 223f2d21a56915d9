import { useTranslation } from 'react-i18next';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { ExampleResult } from '#app/engine/policy/examples/run-examples.ts';
import { ExampleOutcome } from '#app/features/policies/examples/example-table.tsx';

/** The examples of the saved draft and what it says to each. Each button first saves the typed text, so that nothing is lost. */
export function ExamplePanel({ results }: { results: readonly ExampleResult[] }) {
  const { t } = useTranslation('policies');
  return (
    <section aria-label={t('examples.title')} className="grid content-start gap-4">
      <div>
        <h2 className="text-lg font-semibold">{t('examples.title')}</h2>
        <p className="mt-1 text-muted">{t('examples.text')}</p>
      </div>
      {results.map((result, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an example has no other name than its place
        <Card key={index} className="grid gap-2">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <h3 className="font-semibold wrap-anywhere" dir="auto">
              {result.example.name}
            </h3>
            <SubmitButton variant="secondary" size="small" name="intent" value={`example:${index + 1}`}>
              {t('examples.edit')}
              <span className="sr-only"> {result.example.name}</span>
            </SubmitButton>
          </div>
          <ExampleOutcome result={result} />
        </Card>
      ))}
      <SubmitButton variant="secondary" name="intent" value="newExample">
        {t('examples.new')}
      </SubmitButton>
    </section>
  );
}
