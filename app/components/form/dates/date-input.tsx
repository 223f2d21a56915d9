import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { useHydrated, withScriptsOnly } from '#app/components/live/hydrated.ts';
import { useLocale } from '#app/components/text/locale-context.tsx';
import type { Language } from '#app/domain/web/languages.ts';

type Props = Omit<ComponentProps<'input'>, 'type' | 'defaultValue' | 'onChange' | 'ref'> & {
  id: string;
  type: 'date' | 'datetime-local';
  defaultValue: string;
};

/**
 * A day, or a day and its time, by the browser's own control, whose order of day and month follows the browser. With scripts the choice stands
 * under it in the reader's words, where 3 April cannot be taken for 4 March.
 */
export function DateInput({ id, type, defaultValue, className = '', ...attributes }: Props) {
  const { language } = useLocale();
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(defaultValue);
  // It may have been changed before the scripts came.
  useEffect(() => setValue(input.current?.value ?? ''), []);
  const said = sayDate(value, language);
  const described = attributes['aria-describedby'];
  return (
    <div className="grid min-w-0 content-start gap-1">
      <input
        {...attributes}
        ref={input}
        id={id}
        type={type}
        defaultValue={defaultValue}
        onChange={(event) => setValue(event.target.value)}
        {...(said === null ? {} : { 'aria-describedby': described === undefined ? `${id}-said` : `${described} ${id}-said` })}
        className={`${CONTROL} min-h-11 ${type === 'date' ? 'max-w-60' : 'max-w-72'} ${className}`}
      />
      {said === null ? null : (
        <p id={`${id}-said`} className={`text-sm text-muted ${withScriptsOnly(hydrated)}`}>
          {said}
        </p>
      )}
    </div>
  );
}

/** 'Friday, 27 November 2026', with its time where it has one; null for what is no date. Made here: hardly any page needs it. */
function sayDate(value: string, language: Language): string | null {
  // While a year is typed it has less than four digits.
  if (!/^[1-9]\d{3}-\d\d-\d\d(?:T\d\d:\d\d)?/.test(value)) return null;
  const at = new Date(value.includes('T') ? `${value}Z` : value);
  if (Number.isNaN(at.getTime())) return null;
  const time = value.includes('T') ? { timeStyle: 'short' as const } : {};
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', ...time, timeZone: 'UTC' }).format(at);
}
