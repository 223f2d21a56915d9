import type { ReactNode } from 'react';
import { CONTROL, controlAttributes, FieldFrame, type FormField } from '#app/components/form/field-parts.tsx';

/** One file. `accept` only helps to choose: the server checks what arrives. */
export function FileField({ field, label, hint, accept }: { field: FormField; label: string; hint?: ReactNode; accept: string }) {
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })}>
      <input
        {...controlAttributes(field, hint !== undefined)}
        type="file"
        accept={accept}
        className={`${CONTROL} min-h-11 file:me-3 file:rounded-md file:border file:border-edge file:bg-raised file:px-3 file:py-1 file:text-sm file:font-semibold file:text-ink`}
      />
    </FieldFrame>
  );
}
