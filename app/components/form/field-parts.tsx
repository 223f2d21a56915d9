import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readMessage } from '#app/components/form/messages.ts';
import { runtimeText } from '#app/components/text/runtime-text.ts';

/** The parts of a form field that a field component needs; Conform's metadata fits. */
export type FormField = {
  readonly id: string;
  readonly name: string;
  readonly errorId: string;
  readonly descriptionId: string;
  readonly defaultValue: string;
  readonly defaultOptions: readonly string[];
  readonly defaultChecked: boolean;
  readonly errors?: readonly string[] | undefined;
  readonly required?: boolean | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly min?: string | number | undefined;
  readonly max?: string | number | undefined;
  readonly step?: string | number | undefined;
};

/** A field that may have parts: those of an object, or the rows of a list. */
export type FormFieldset = FormField & {
  readonly key?: string | undefined;
  getFieldset(): Partial<Record<string, FormFieldset>>;
  getFieldList(): FormFieldset[];
};

/** A part of a field with members of its own. `required`: as its author wants it, where the schema cannot say. */
export function partOf(field: FormFieldset, name: string, required?: boolean): FormField {
  const part = field.getFieldset()[name];
  if (part === undefined) throw new Error(`the field ${field.name} has no part ${name}`);
  // Conform's own cannot be spread: its properties are those of a prototype.
  const { id, errorId, descriptionId, defaultValue, defaultOptions, defaultChecked, errors, minLength, maxLength } = part;
  const copied = {
    id,
    name: part.name,
    errorId,
    descriptionId,
    defaultValue,
    defaultOptions,
    defaultChecked,
    errors,
    minLength,
    maxLength,
  };
  return { ...copied, required: required ?? part.required };
}

export const CONTROL =
  'block w-full rounded-md border border-edge bg-surface px-3 py-2 text-base text-ink placeholder:text-muted aria-invalid:border-2 aria-invalid:border-danger-ink disabled:bg-raised disabled:text-muted';

/** Turns validation messages into sentences of the reader's language. */
export function useMessages(): (errors: readonly string[] | undefined | null) => string[] {
  const { i18n } = useTranslation('validation');
  return (errors) =>
    (errors ?? []).map((text) => {
      const { key, values } = readMessage(text);
      return runtimeText(i18n, 'validation', key, values) ?? text;
    });
}

/** Attributes that tie a control to its label, hint and errors. */
export function controlAttributes(field: FormField, hint: boolean) {
  const invalid = (field.errors?.length ?? 0) > 0;
  const describedBy = [hint ? field.descriptionId : '', invalid ? field.errorId : ''].filter(Boolean).join(' ');
  return {
    id: field.id,
    name: field.name,
    ...(invalid ? { 'aria-invalid': true } : {}),
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...(field.required ? { 'aria-required': true } : {}),
  };
}

export function FieldHint({ field, children }: { field: FormField; children: ReactNode }) {
  return (
    <div id={field.descriptionId} className="text-sm text-muted">
      {children}
    </div>
  );
}

export function FieldErrors({ field }: { field: FormField }) {
  const messages = useMessages()(field.errors);
  if (messages.length === 0) return null;
  return (
    <div id={field.errorId} className="text-sm font-semibold text-danger-ink">
      {messages.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Label above, hint below it, errors, then the control: the order in which they are read. */
export function FieldFrame({
  field,
  label,
  hint,
  optional,
  children,
}: {
  field: FormField;
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  return (
    <div className="grid max-w-measure gap-1.5">
      <label htmlFor={field.id} className="font-semibold">
        {label}
        {optional ? <span className="font-normal text-muted"> {t('form.optional')}</span> : null}
      </label>
      {hint ? <FieldHint field={field}>{hint}</FieldHint> : null}
      <FieldErrors field={field} />
      {children}
    </div>
  );
}

/** The same for a group of choices. */
export function GroupFrame({
  field,
  label,
  hint,
  optional,
  children,
}: {
  field: FormField;
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const { 'aria-describedby': describedBy } = controlAttributes(field, hint !== undefined);
  return (
    <fieldset
      id={field.id}
      tabIndex={-1}
      className="grid max-w-measure gap-1.5"
      {...(describedBy ? { 'aria-describedby': describedBy } : {})}
    >
      <legend className="mb-1.5 font-semibold">
        {label}
        {optional ? <span className="font-normal text-muted"> {t('form.optional')}</span> : null}
      </legend>
      {hint ? <FieldHint field={field}>{hint}</FieldHint> : null}
      <FieldErrors field={field} />
      {children}
    </fieldset>
  );
}
