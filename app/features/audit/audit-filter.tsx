import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
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
        <Typed id="filter-from" name="from" type="date" label={t('filter.from')} value={filter.from} invalid={!valid} />
        <Typed id="filter-until" name="until" type="date" label={t('filter.until')} value={filter.until} invalid={!valid} />
        <Typed
          id="filter-resource"
          name="resource"
          type="search"
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

function Typed({
  id,
  name,
  type,
  label,
  value,
  hint,
  invalid = false,
}: {
  id: string;
  name: string;
  type: 'date' | 'search';
  label: string;
  value: string;
  hint?: string;
  invalid?: boolean;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={value}
        autoComplete="off"
        maxLength={120}
        className={`${CONTROL} min-h-11`}
        {...(type === 'search' ? { dir: 'auto' } : {})}
        {...(invalid ? { 'aria-invalid': true } : {})}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
