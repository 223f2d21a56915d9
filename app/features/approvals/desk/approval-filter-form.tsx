import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { RISKS } from '#app/contracts/statuses.ts';
import type { LoadedList } from '#app/features/approvals/desk/load-approval-list.server.ts';

type Chosen = LoadedList['chosen'];

export const isFiltered = (chosen: Chosen) => Object.values(chosen).some((value) => value !== '');

const DUE = [
  { value: 'overdue', word: 'filter.overdue' },
  { value: 'day', word: 'filter.day' },
  { value: 'week', word: 'filter.week' },
] as const satisfies readonly { value: Chosen['due']; word: string }[];

/** The rarer filters, folded: a form whose answer is an address. */
export function ApprovalFilterForm({ list: { filter, chosen, workflows, deciders } }: { list: LoadedList }) {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  return (
    <details open={isFiltered(chosen)} className="border-t border-line px-4">
      <summary className="min-h-6 py-2 text-sm font-semibold">{t('filter.title')}</summary>
      <Form method="get" action={href('/dashboard/approvals')} key={JSON.stringify(chosen)} className="grid gap-3 pb-4">
        {filter === 'pending' ? null : <input type="hidden" name="status" value={filter} />}
        <FilterChoice
          id="approval-workflow"
          name="workflow"
          label={t('filter.workflow')}
          value={chosen.workflow}
          all={t('filter.anyWorkflow')}
          options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <FilterChoice
          id="approval-risk"
          name="risk"
          label={t('page.risk')}
          value={chosen.risk}
          all={t('filter.anyRisk')}
          options={RISKS.map((value) => ({ value, label: common(`status.${value}`) }))}
        />
        <FilterChoice
          id="approval-due"
          name="due"
          label={t('page.due')}
          value={chosen.due}
          all={t('filter.anyTime')}
          options={DUE.map(({ value, word }) => ({ value, label: t(word) }))}
        />
        <FilterChoice
          id="approval-assigned"
          name="assigned"
          label={t('work.to')}
          value={chosen.assigned}
          all={t('work.filterAny')}
          options={[
            { value: 'me', label: t('work.filterMe') },
            { value: 'nobody', label: t('work.filterNobody') },
            ...deciders.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <div className="flex flex-wrap gap-2">
          <Button size="small">{t('filter.apply')}</Button>
          {isFiltered(chosen) ? (
            <ButtonLink size="small" variant="quiet" to={href('/dashboard/approvals')}>
              {t('filter.clear')}
            </ButtonLink>
          ) : null}
        </div>
      </Form>
    </details>
  );
}
