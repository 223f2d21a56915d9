import type { ReactNode } from 'react';
import { DateInput } from '#app/components/form/dates/date-input.tsx';
import { controlAttributes, FieldFrame, type FormField } from '#app/components/form/field-parts.tsx';

type Props = { field: FormField; label: string; hint?: ReactNode; optional?: boolean; type?: 'date' | 'datetime-local' };

/** A day of the calendar, or with its time; posts it as `2026-11-27` or `2026-11-27T09:30`. */
export function DateField({ field, label, hint, optional, type = 'date' }: Props) {
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })} {...(optional ? { optional } : {})}>
      <DateInput {...controlAttributes(field, hint !== undefined)} type={type} defaultValue={field.defaultValue} autoComplete="off" />
    </FieldFrame>
  );
}
