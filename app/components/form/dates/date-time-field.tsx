import { useTranslation } from 'react-i18next';
import { DateField } from '#app/components/form/dates/date-field.tsx';
import { type FormFieldset, partOf } from '#app/components/form/field-parts.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';

/**
 * A date and time in the reader's zone, which is said and sent along: a browser's field gives the time alone. Posts `<name>.local` and
 * `<name>.zone`.
 */
export function DateTimeField({
  field,
  label,
  hint,
  optional,
  required,
}: {
  field: FormFieldset;
  label: string;
  hint?: string;
  optional?: boolean;
  required: boolean;
}) {
  const { t } = useTranslation('inputs');
  const { timeZone } = useLocale();
  const zone = partOf(field, 'zone');
  // A typed time belongs to the zone that the form named when it was typed.
  const inForce = zone.defaultValue || timeZone;
  const said = t('zone', { zone: inForce.replaceAll('_', ' ') });
  return (
    <>
      <DateField
        field={partOf(field, 'local', required)}
        label={label}
        type="datetime-local"
        hint={
          <>
            {hint === undefined ? null : <span className="block">{hint}</span>}
            <bdi>{said}</bdi>
          </>
        }
        {...(optional ? { optional } : {})}
      />
      <input type="hidden" name={zone.name} value={inForce} />
    </>
  );
}
