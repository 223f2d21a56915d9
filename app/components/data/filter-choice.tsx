import { CONTROL } from '#app/components/form/field-parts.tsx';

type FilterChoiceProps = {
  id: string;
  name: string;
  label: string;
  value: string;
  /** The label of the empty value; without it one option is always chosen. */
  all?: string;
  options: readonly { value: string; label: string }[];
};

/** One filter of the form above a list, sent by GET. */
export function FilterChoice({ id, name, label, value, all, options }: FilterChoiceProps) {
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <select id={id} name={name} defaultValue={value} className={`${CONTROL} min-h-11`}>
        {all === undefined ? null : <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
