import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WindowForm } from '#app/components/data/window-form.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { VERDICTS } from '#app/contracts/statuses.ts';
import { windowQuery } from '#app/domain/runs/time-window.ts';
import { withParam } from '#app/domain/web/list-address.ts';
import { type DecisionFilter, filterQuery } from '#app/features/reasoning/decision-filter.ts';
import type { DecisionRow, LoadedDecisions } from '#app/features/reasoning/load-decisions.server.ts';
import { ReasoningLinks } from '#app/features/reasoning/reasoning-links.tsx';
import { useVerdictWords } from '#app/features/reasoning/verdict-words.ts';

const PATH = href('/dashboard/ai-reasoning');

export function DecisionList({ filter, window, policies, workflows, rows, list }: LoadedDecisions) {
  const { t } = useTranslation('reasoning');
  const filtered = Object.keys(filterQuery(filter)).length > 0;
  return (
    <PageFrame title={t('decisions.title')} wide description={t('decisions.description')}>
      <ReasoningLinks />
      <WindowForm path={PATH} window={window} keep={filterQuery(filter)} />
      <Filter filter={filter} policies={policies} workflows={workflows} keep={windowQuery(window.choice)} filtered={filtered} />
      <ListTable
        list={list}
        caption={t('decisions.title')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={useColumns()}
        // The time is no filter: without a decision in it there is none to find.
        whole={Object.keys(filter).reduce((url, name) => withParam(url, name, ''), withParam(list.url, 'sort', ''))}
        empty={
          <EmptyState
            title={t('decisions.empty')}
            description={t('decisions.emptyText')}
            action={<ButtonLink to={href('/dashboard/workflows')}>{t('recent.toWorkflows')}</ButtonLink>}
          />
        }
        noneFound={
          <EmptyState
            title={t('decisions.noneFound')}
            description={t('decisions.noneFoundText')}
            action={<ButtonLink to={PATH}>{t('decisions.clear')}</ButtonLink>}
          />
        }
      />
    </PageFrame>
  );
}

function useColumns(): Column<DecisionRow>[] {
  const { t } = useTranslation('reasoning');
  return [
    {
      key: 'reason',
      header: t('decisions.reason'),
      cell: (row) => (
        <Link className="text-link" to={href('/dashboard/ai-reasoning/:decision', { decision: row.id })}>
          <ExplanationText explanation={row.reason} />
        </Link>
      ),
    },
    { key: 'verdict', header: t('decisions.verdict'), cell: (row) => <StatusWord status={row.verdict} /> },
    {
      key: 'rule',
      header: t('decisions.rule'),
      cell: (row) =>
        row.rules.length === 0 ? (
          <span className="text-muted">{t('decisions.noRule')}</span>
        ) : (
          row.rules.map((rule) => (
            <span key={`${rule.policyId}${rule.rule}`} className="block">
              <bdi>{rule.policyName}</bdi> <code className="text-muted">{rule.rule}</code>
            </span>
          ))
        ),
    },
    {
      key: 'run',
      header: t('decisions.run'),
      cell: (row) => (
        <>
          <Link className="text-link" to={href('/dashboard/runs/:run', { run: row.runId })}>
            <bdi>{row.workflow}</bdi>
          </Link>
          <bdi className="block text-muted">{row.step}</bdi>
        </>
      ),
    },
    { key: 'at', header: t('decisions.at'), cell: (row) => <RelativeTime at={row.at} /> },
  ];
}

type Named = readonly { id: string; name: string }[];

function Filter({
  filter,
  policies,
  workflows,
  keep,
  filtered,
}: {
  filter: DecisionFilter;
  policies: Named;
  workflows: Named;
  keep: Record<string, string>;
  filtered: boolean;
}) {
  const { t } = useTranslation('reasoning');
  const words = useVerdictWords();
  const choices: { name: keyof DecisionFilter; label: string; all: string; options: Named }[] = [
    {
      name: 'verdict',
      label: t('decisions.verdict'),
      all: t('decisions.anyVerdict'),
      options: VERDICTS.map((id) => ({ id, name: words[id] })),
    },
    { name: 'policy', label: t('decisions.policy'), all: t('decisions.anyPolicy'), options: policies },
    { name: 'workflow', label: t('decisions.workflow'), all: t('decisions.anyWorkflow'), options: workflows },
  ];
  return (
    <Form
      method="get"
      role="search"
      aria-label={t('decisions.filter')}
      key={JSON.stringify(filter)}
      className="mb-4 flex flex-wrap items-end gap-3"
    >
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {choices.map((choice) => (
        <div key={choice.name} className="w-full sm:w-52">
          <FilterChoice
            id={`decision-${choice.name}`}
            name={choice.name}
            label={choice.label}
            value={filter[choice.name]}
            all={choice.all}
            options={choice.options.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      ))}
      <Button>{t('decisions.apply')}</Button>
      {filtered ? (
        <ButtonLink variant="quiet" to={`${PATH}?${new URLSearchParams(keep)}`}>
          {t('decisions.clear')}
        </ButtonLink>
      ) : null}
    </Form>
  );
}
