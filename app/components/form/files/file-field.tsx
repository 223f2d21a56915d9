import type { ReactNode } from 'react';
import { controlAttributes, FieldFrame, type FormField } from '#app/components/form/field-parts.tsx';
import { FileInput } from '#app/components/form/files/file-input.tsx';

/** One file. `accept` only helps to choose: the server checks what arrives. Needs the namespace inputs. */
export function FileField({ field, label, hint, accept }: { field: FormField; label: string; hint?: ReactNode; accept: string }) {
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })}>
      <FileInput {...controlAttributes(field, hint !== undefined)} accept={accept} />
    </FieldFrame>
  );
}
