import { useTranslation } from 'react-i18next';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';

type FilterChoiceProps = {
  id: string;
  name: string;
  label: string;
  value: string;
  /** The label of the empty value; without it one option is always chosen. */
  all?: string;
  options: readonly { value: string; label: string }[];
  /** How many rows each option would leave, for a filter that is counted. */
  counts?: FacetCounts | null;
};

/** One filter of the form above a list, sent by GET. */
export function FilterChoice({ id, name, label, value, all, options, counts = null }: FilterChoiceProps) {
  const { t } = useTranslation('common');
  const formats = useFormats();
  const facet = counts?.facets.find((one) => one.name === name);
  const counted = (option: { value: string; label: string }) => {
    if (facet === undefined) return option.label;
    const number = formats.number(facet.counts.find((one) => one.value === option.value)?.count ?? 0);
    return t('facets.option', { label: option.label, number: counts?.bounded ? t('facets.atLeast', { number }) : number });
  };
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <select id={id} name={name} defaultValue={value} className={`${CONTROL} min-h-11`}>
        {all === undefined ? null : <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {counted(option)}
          </option>
        ))}
      </select>
    </div>
  );
}
