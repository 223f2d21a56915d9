import type { ReactNode } from 'react';
import {
  CONTROL,
  controlAttributes,
  FieldErrors,
  FieldFrame,
  FieldHint,
  type FormField,
  GroupFrame,
} from '#app/components/form/field-parts.tsx';

export type Option = { value: string; label: string; hint?: ReactNode };

export function SelectField({
  field,
  label,
  hint,
  options,
  placeholder,
  optional,
  leftToRight,
  disabled,
}: {
  field: FormField;
  label: string;
  hint?: ReactNode;
  options: readonly Option[];
  /** The option for no choice. */
  placeholder?: string;
  optional?: boolean;
  /** Options are names of machines: a long one loses its end, in every language. */
  leftToRight?: boolean;
  disabled?: boolean;
}) {
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })} {...(optional ? { optional } : {})}>
      <select
        {...controlAttributes(field, hint !== undefined)}
        defaultValue={field.defaultValue}
        disabled={disabled}
        dir={leftToRight ? 'ltr' : undefined}
        className={`${CONTROL} min-h-11 text-ellipsis ${leftToRight ? 'rtl:text-end' : ''}`}
      >
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

const CHOICE = 'flex items-start gap-3 rounded-md py-1.5';
const BOX = 'mt-1 size-5 shrink-0';

/** A single checkbox; sends 'on' when ticked. */
export function CheckboxField({
  field,
  label,
  hint,
  disabled,
}: {
  field: FormField;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}) {
  return (
    <div className="grid max-w-measure gap-1">
      <FieldErrors field={field} />
      <label htmlFor={field.id} className={CHOICE}>
        <input
          {...controlAttributes(field, hint !== undefined)}
          type="checkbox"
          value="on"
          defaultChecked={field.defaultChecked}
          disabled={disabled}
          className={BOX}
        />
        <span>{label}</span>
      </label>
      {hint ? (
        <div className="ps-8">
          <FieldHint field={field}>{hint}</FieldHint>
        </div>
      ) : null}
    </div>
  );
}

type GroupProps = { field: FormField; label: string; hint?: ReactNode; options: readonly Option[] };

export function RadioGroupField({ field, label, hint, options }: GroupProps) {
  return (
    <GroupFrame field={field} label={label} {...(hint === undefined ? {} : { hint })}>
      {options.map((option) => (
        <label key={option.value} className={CHOICE}>
          <input type="radio" name={field.name} value={option.value} defaultChecked={field.defaultValue === option.value} className={BOX} />
          <ChoiceText option={option} />
        </label>
      ))}
    </GroupFrame>
  );
}

/** A set: every ticked option is sent under the field's name. */
export function CheckboxGroupField({ field, label, hint, options }: GroupProps) {
  // A set of one default arrives as a plain value.
  const chosen = field.defaultOptions.length > 0 ? field.defaultOptions : [field.defaultValue];
  return (
    <GroupFrame field={field} label={label} {...(hint === undefined ? {} : { hint })}>
      {options.map((option) => (
        <label key={option.value} className={CHOICE}>
          <input type="checkbox" name={field.name} value={option.value} defaultChecked={chosen.includes(option.value)} className={BOX} />
          <ChoiceText option={option} />
        </label>
      ))}
    </GroupFrame>
  );
}

function ChoiceText({ option }: { option: Option }) {
  return (
    <span>
      {option.label}
      {option.hint ? <span className="block text-sm text-muted">{option.hint}</span> : null}
    </span>
  );
}
