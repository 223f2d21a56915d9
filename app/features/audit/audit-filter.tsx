import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { DateInput } from '#app/components/form/dates/date-input.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useActionWords } from '#app/components/text/action-words.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';
import { type AuditFilter, NO_FILTER, NOBODY } from '#app/features/audit/audit-filter-facts.ts';

type Props = {
  filter: AuditFilter;
  valid: boolean;
  people: readonly { id: string; name: string }[];
  actions: readonly string[];
  counts: FacetCounts;
  seesAll: boolean;
  /** Newest entries among which a kind or a part of a name is looked for. */
  searched: number;
};

/** Filters by user, action, time and resource: a plain form whose answer is an address that can be bookmarked. */
export function AuditFilterForm({ filter, valid, people, actions, counts, seesAll, searched }: Props) {
  const { t, i18n } = useTranslation('audit');
  const formats = useFormats();
  const words = useActionWords();
  const filtered = Object.entries(filter).some(([name, value]) => value !== NO_FILTER[name as keyof AuditFilter]);
  const options = actions
    .map((action) => ({ value: action, label: words(action) }))
    .sort((a, b) => a.label.localeCompare(b.label, i18n.language));
  return (
    <Form
      method="get"
      role="search"
      aria-label={t('filter.title')}
      key={JSON.stringify(filter)}
      className="mb-6 rounded-lg border border-line bg-surface p-4"
    >
      {valid ? null : (
        <div className="mb-4">
          <Notice kind="danger" title={t('filter.invalid')} />
        </div>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-5">
        {seesAll ? (
          <FilterChoice
            id="filter-user"
            name="user"
            label={t('filter.user')}
            value={filter.user}
            all={t('filter.userAll')}
            options={[...people.map((person) => ({ value: person.id, label: person.name })), { value: NOBODY, label: t('actor.system') }]}
            counts={counts}
          />
        ) : null}
        <FilterChoice
          id="filter-action"
          name="action"
          label={t('filter.action')}
          value={filter.action}
          all={t('filter.actionAll')}
          options={options}
          counts={counts}
        />
        <Day name="from" label={t('filter.from')} value={filter.from} invalid={!valid} />
        <Day name="until" label={t('filter.until')} value={filter.until} invalid={!valid} />
        <Resource
          label={t('filter.resource')}
          value={filter.resource}
          hint={t('filter.resourceHint', { entries: formats.number(searched) })}
        />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" size="small">
          {t('filter.apply')}
        </Button>
        {filtered ? (
          <ButtonLink variant="quiet" size="small" to={href('/dashboard/audit')}>
            {t('filter.clear')}
          </ButtonLink>
        ) : null}
      </div>
    </Form>
  );
}

function Day({ name, label, value, invalid }: { name: 'from' | 'until'; label: string; value: string; invalid: boolean }) {
  const id = `filter-${name}`;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      <DateInput id={id} name={name} type="date" defaultValue={value} {...(invalid ? { 'aria-invalid': true } : {})} />
    </div>
  );
}

function Resource({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <div className="min-w-0">
      <label htmlFor="filter-resource" className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      <input
        id="filter-resource"
        name="resource"
        type="search"
        defaultValue={value}
        autoComplete="off"
        maxLength={120}
        dir="auto"
        aria-describedby="filter-resource-hint"
        className={`${CONTROL} min-h-11`}
      />
      <p id="filter-resource-hint" className="mt-1 text-sm text-muted">
        {hint}
      </p>
    </div>
  );
}
