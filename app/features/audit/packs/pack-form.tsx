import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { DateInput } from '#app/components/form/dates/date-input.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { LoadedPack } from '#app/features/audit/packs/load-pack.server.ts';
import type { QuestionField } from '#app/features/audit/packs/pack-question.ts';

/** Framework, period and seed: a plain form whose answer is an address that can be kept and sent to an auditor. */
export function PackForm({ typed, wrong, frameworks, sampleSize }: Pick<LoadedPack, 'typed' | 'wrong' | 'frameworks' | 'sampleSize'>) {
  const { t } = useTranslation('packs');
  const field = (name: QuestionField) => ({ name, error: wrong.includes(name) ? t(`form.wrong.${name}`) : null });
  return (
    <Form
      method="get"
      action={href('/dashboard/audit/packs')}
      key={JSON.stringify(typed)}
      className="mb-8 rounded-lg border border-line bg-surface p-4 print:hidden"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field {...field('framework')} label={t('form.framework')}>
          {(attributes) => (
            <select {...attributes} defaultValue={typed.framework} className={`${CONTROL} min-h-11`}>
              <option value="">{t('form.choose')}</option>
              {frameworks.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field {...field('from')} label={t('form.from')}>
          {(attributes) => <DateInput {...attributes} type="date" defaultValue={typed.from} />}
        </Field>
        <Field {...field('until')} label={t('form.until')}>
          {(attributes) => <DateInput {...attributes} type="date" defaultValue={typed.until} />}
        </Field>
        <Field {...field('seed')} label={t('form.seed')} hint={t('form.seedHint', { number: sampleSize })}>
          {(attributes) => (
            <input
              {...attributes}
              defaultValue={typed.seed}
              maxLength={64}
              dir="ltr"
              spellCheck={false}
              className={`${CONTROL} font-mono rtl:text-end`}
            />
          )}
        </Field>
      </div>
      <Button className="mt-4">{t('form.show')}</Button>
    </Form>
  );
}

type Attributes = { id: string } & Pick<ComponentProps<'input'>, 'name' | 'aria-invalid' | 'aria-describedby'>;
type FieldProps = {
  name: QuestionField;
  label: string;
  hint?: string;
  error: string | null;
  children: (attributes: Attributes) => ReactNode;
};

function Field({ name, label, hint, error, children }: FieldProps) {
  const id = `pack-${name}`;
  const describedBy = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === null ? [] : [`${id}-error`])].join(' ');
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {error === null ? null : (
        <p id={`${id}-error`} className="text-sm font-semibold text-danger-ink">
          {error}
        </p>
      )}
      {children({
        id,
        name,
        ...(error === null ? {} : { 'aria-invalid': true }),
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
