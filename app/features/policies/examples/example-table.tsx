import { useTranslation } from 'react-i18next';
import { DataTable } from '#app/components/data/data-table.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { ExampleResult } from '#app/engine/policy/examples/run-examples.ts';

/** Whether an example passes, what was expected and what the policy says, with its reason. Needs the namespaces policies and explanations. */
export function ExampleOutcome({ result: { example, verdict, reason, passes } }: { result: ExampleResult }) {
  const { t } = useTranslation('policies');
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={passes ? 'ok' : 'danger'}>{passes ? t('examples.passes') : t('examples.fails')}</Badge>
        <span className="text-muted">{t('examples.expected')}</span>
        <StatusWord status={example.expected} />
      </p>
      {passes ? null : (
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-muted">{t('examples.said')}</span>
          <StatusWord status={verdict} />
        </p>
      )}
      <Why reason={reason} />
    </div>
  );
}

/** An example has its policy to itself, and may call what has no name: the author's own sentence says enough. */
function Why({ reason }: Pick<ExampleResult, 'reason'>) {
  const statement = reason.values?.statement;
  if (reason.key === 'policyAllowed') return null;
  return (
    <p className="text-muted" dir="auto">
      {typeof statement === 'string' ? statement : <ExplanationText explanation={reason} />}
    </p>
  );
}

/** The examples of a version, as whoever decides on it reads them. */
export function ExampleTable({ results }: { results: readonly ExampleResult[] }) {
  const { t } = useTranslation('policies');
  return (
    <DataTable
      caption={t('examples.title')}
      rows={results}
      rowKey={({ example }) => example.name}
      empty={null}
      columns={[
        { key: 'name', header: t('examples.name'), cell: ({ example }) => <bdi className="wrap-anywhere">{example.name}</bdi> },
        {
          key: 'call',
          header: t('examples.call'),
          cell: ({ example }) => (
            <span dir="ltr" className="wrap-anywhere">
              {example.call} {Object.keys(example.input).length === 0 ? null : <code>{JSON.stringify(example.input)}</code>}
            </span>
          ),
        },
        { key: 'outcome', header: t('examples.outcome'), cell: (result) => <ExampleOutcome result={result} /> },
      ]}
    />
  );
}
