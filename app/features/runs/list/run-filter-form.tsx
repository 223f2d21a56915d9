import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { DateInput } from '#app/components/form/dates/date-input.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';
import { RUN_STATUSES } from '#app/contracts/statuses.ts';
import { SEARCH_WORDS_MAX } from '#app/domain/web/search-words.ts';
import type { LoadedRunList } from '#app/features/runs/list/load-run-list-screen.server.ts';
import { isFiltered, LEAST_COSTS, LEAST_SECONDS, type RunFilter, TRIGGER_KINDS } from '#app/features/runs/list/run-filter.ts';

type Props = Pick<LoadedRunList, 'filter' | 'valid' | 'workflows' | 'people' | 'causes' | 'list'>;

/** Filters of the list of runs: a plain form whose answer is an address that can be bookmarked. The rarer ones are folded away. */
export function RunFilterForm({ filter, valid, workflows, people, causes, list: { counts } }: Props) {
  const { t } = useTranslation('runs');
  const { t: common } = useTranslation('common');
  return (
    <Form method="get" role="search" aria-label={t('filter.title')} key={JSON.stringify(filter)} className="mb-6 grid gap-4">
      {valid ? null : <Notice kind="danger" title={t('filter.invalid')} />}
      <ContentWords value={filter.q} />
      <div className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <FilterChoice
          id="run-status"
          name="status"
          label={t('list.status')}
          value={filter.status}
          all={t('list.anyStatus')}
          options={RUN_STATUSES.map((value) => ({ value, label: common(`status.${value}`) }))}
          counts={counts}
        />
        <FilterChoice
          id="run-workflow"
          name="workflow"
          label={t('list.workflow')}
          value={filter.workflow}
          all={t('list.anyWorkflow')}
          options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Day name="from" label={t('filter.from')} value={filter.from} invalid={!valid} />
        <Day name="until" label={t('filter.until')} value={filter.until} invalid={!valid} />
      </div>
      {causes.length === 0 ? null : <CauseChoice value={filter.error} causes={causes} />}
      <details open={hasMore(filter)} className="rounded-lg border border-line bg-surface px-4">
        <summary className="cursor-pointer py-3 text-sm font-semibold">{t('filter.more')}</summary>
        <div className="grid items-end gap-3 pt-1 pb-4 sm:grid-cols-2 lg:grid-cols-3">
          <MoreChoices filter={filter} people={people} counts={counts} />
        </div>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button>{t('list.filter')}</Button>
        {isFiltered(filter) ? (
          <ButtonLink variant="quiet" to={href('/dashboard/runs')}>
            {t('list.clear')}
          </ButtonLink>
        ) : null}
      </div>
    </Form>
  );
}

/** Words that the runs hold in what they were given and what they came to. */
function ContentWords({ value }: { value: string }) {
  const { t } = useTranslation('runs');
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor="run-q" className="text-sm font-semibold">
        {t('filter.content')}
      </label>
      <input
        id="run-q"
        name="q"
        type="search"
        defaultValue={value}
        maxLength={SEARCH_WORDS_MAX}
        autoComplete="off"
        dir="auto"
        aria-describedby="run-q-hint"
        className={`${CONTROL} min-h-11`}
      />
      <p id="run-q-hint" className="text-sm text-muted">
        {t('filter.contentHint')}
      </p>
    </div>
  );
}

const hasMore = ({ mode, trigger, person, version, seconds, cost }: RunFilter) =>
  [mode, trigger, person, version, seconds, cost].some((value) => value !== '');

function MoreChoices({ filter, people, counts }: Pick<Props, 'filter' | 'people'> & { counts: FacetCounts }) {
  const { t } = useTranslation('runs');
  const formats = useFormats();
  return (
    <>
      <FilterChoice
        id="run-mode"
        name="mode"
        label={t('list.mode')}
        value={filter.mode}
        all={t('filter.anyMode')}
        options={(['live', 'test'] as const).map((value) => ({ value, label: t(`list.${value}`) }))}
        counts={counts}
      />
      <FilterChoice
        id="run-trigger"
        name="trigger"
        label={t('filter.trigger')}
        value={filter.trigger}
        all={t('filter.anyTrigger')}
        options={TRIGGER_KINDS.map((value) => ({ value, label: t(`trigger.${value}`) }))}
        counts={counts}
      />
      {people.length === 0 ? null : (
        <FilterChoice
          id="run-person"
          name="person"
          label={t('run.initiator')}
          value={filter.person}
          all={t('filter.anyone')}
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <FilterChoice
        id="run-seconds"
        name="seconds"
        label={t('run.active')}
        value={filter.seconds}
        all={t('filter.any')}
        options={LEAST_SECONDS.map((value) => ({
          value: String(value),
          label: t('filter.least', { value: formats.duration(value * 1_000) }),
        }))}
      />
      <FilterChoice
        id="run-cost"
        name="cost"
        label={t('filter.cost')}
        value={filter.cost}
        all={t('filter.any')}
        options={LEAST_COSTS.map((value) => ({ value: String(value), label: t('filter.least', { value: formats.money(value) }) }))}
      />
      <div className="grid min-w-0 gap-1">
        <label htmlFor="run-version" className="text-sm font-semibold">
          {t('run.version')}
        </label>
        <input
          id="run-version"
          name="version"
          inputMode="numeric"
          pattern="[0-9]{1,6}"
          defaultValue={filter.version}
          autoComplete="off"
          dir="ltr"
          className={`${CONTROL} min-h-11 rtl:text-end`}
        />
      </div>
    </>
  );
}

/** Causes by how often they occur, each in the words of its newest failure. */
function CauseChoice({ value, causes }: { value: string; causes: Props['causes'] }) {
  const { t, i18n } = useTranslation('runs');
  const formats = useFormats();
  const options = causes.map(({ key, latest, runs }) => ({
    value: key,
    label: t('filter.causeOption', {
      runs: formats.number(runs),
      cause: runtimeText(i18n, 'explanations', key, latest.values) ?? key,
    }),
  }));
  if (value !== '' && !causes.some(({ key }) => key === value)) options.push({ value, label: value });
  return <FilterChoice id="run-error" name="error" label={t('filter.cause')} value={value} all={t('filter.anyCause')} options={options} />;
}

function Day({ name, label, value, invalid }: { name: 'from' | 'until'; label: string; value: string; invalid: boolean }) {
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={`run-${name}`} className="text-sm font-semibold">
        {label}
      </label>
      <DateInput id={`run-${name}`} name={name} type="date" defaultValue={value} {...(invalid ? { 'aria-invalid': true } : {})} />
    </div>
  );
}
