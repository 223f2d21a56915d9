import { useTranslation } from 'react-i18next';
import { Form, href, useSearchParams } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { RISKS } from '#app/contracts/statuses.ts';
import type { LoadedList } from '#app/features/approvals/desk/load-approval-list.server.ts';

type Chosen = LoadedList['chosen'];

export const isFiltered = (chosen: Partial<Chosen>) => Object.values(chosen).some((value) => value !== '');
const isSearched = ({ q, min, max }: Chosen) => q !== '' || min !== '' || max !== '';

const DUE = [
  { value: 'overdue', word: 'filter.overdue' },
  { value: 'day', word: 'filter.day' },
  { value: 'week', word: 'filter.week' },
] as const satisfies readonly { value: Chosen['due']; word: string }[];

/** Words, amounts and the rarer filters: a form whose answer is an address. */
export function ApprovalFilterForm({ list: { filter, chosen, workflows, deciders } }: { list: LoadedList }) {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  const { q, ...folded } = chosen;
  const [asked] = useSearchParams();
  const unread = (name: 'min' | 'max') => (chosen[name] === '' ? (asked.get(name) ?? '').trim() : '');
  return (
    <Form
      method="get"
      role="search"
      aria-label={t('filter.title')}
      action={href('/dashboard/approvals')}
      key={JSON.stringify([chosen, unread('min'), unread('max')])}
      className="border-t border-line px-4"
    >
      {filter === 'pending' ? null : <input type="hidden" name="status" value={filter} />}
      <div className="flex flex-wrap items-end gap-2 pt-3">
        <Typed id="approval-q" name="q" type="search" label={t('filter.words')} value={q} />
        <Button>{t('filter.search')}</Button>
      </div>
      <details open={isFiltered(folded) || unread('min') !== '' || unread('max') !== ''} className="py-1">
        <summary className="min-h-6 py-2 text-sm font-semibold">{t('filter.title')}</summary>
        <div className="grid gap-3 pb-3">
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
          <div className="flex flex-wrap gap-3">
            <Typed id="approval-min" name="min" type="text" label={t('filter.min')} value={String(chosen.min)} unread={unread('min')} />
            <Typed id="approval-max" name="max" type="text" label={t('filter.max')} value={String(chosen.max)} unread={unread('max')} />
          </div>
          <div className="flex flex-wrap gap-2">
            <Button size="small">{t('filter.apply')}</Button>
            {isFiltered(chosen) ? (
              <ButtonLink size="small" variant="quiet" to={href('/dashboard/approvals')}>
                {t('filter.clear')}
              </ButtonLink>
            ) : null}
          </div>
        </div>
      </details>
      {filter === 'pending' || !isSearched(chosen) ? null : <p className="pb-3 text-sm text-muted">{t('filter.searchedClosed')}</p>}
    </Form>
  );
}

/** `unread`: typed, and not understood. */
type TypedProps = { id: string; name: string; type: 'search' | 'text'; label: string; value: string; unread?: string };

/** Words, or an amount. */
function Typed({ id, name, type, label, value, unread = '' }: TypedProps) {
  const { t } = useTranslation('approvals');
  return (
    <div className="grid min-w-24 flex-1 gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={unread || value}
        {...(unread === '' ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-unread` })}
        autoComplete="off"
        maxLength={200}
        {...(type === 'search' ? { dir: 'auto' as const } : { dir: 'ltr' as const, inputMode: 'decimal' as const })}
        className={`${CONTROL} min-h-11 ${type === 'text' ? 'tabular-nums rtl:text-end' : ''}`}
      />
      {unread === '' ? null : (
        <p id={`${id}-unread`} className="text-sm text-danger-ink">
          {t('filter.unread')}
        </p>
      )}
    </div>
  );
}
