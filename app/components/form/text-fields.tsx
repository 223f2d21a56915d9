import { type HTMLInputTypeAttribute, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONTROL, controlAttributes, FieldFrame, type FormField } from '#app/components/form/field-parts.tsx';
import { TextArea } from '#app/components/form/text-area.tsx';
import { useHydrated } from '#app/components/live/hydrated.ts';

type Common = { field: FormField; label: string; hint?: ReactNode; autoComplete?: string; optional?: boolean; disabled?: boolean };

type TextProps = Common & {
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'url' | 'search' | 'tel' | 'time'>;
  /** Codes, addresses and other words that read from left to right in every language. */
  code?: boolean;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url' | 'search' | 'tel';
  placeholder?: string;
};

export function TextField({
  field,
  label,
  hint,
  type = 'text',
  autoComplete,
  optional,
  disabled,
  code,
  inputMode,
  placeholder,
}: TextProps) {
  const leftToRight = code || type === 'email' || type === 'url' || type === 'tel';
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })} {...(optional ? { optional } : {})}>
      <input
        {...controlAttributes(field, hint !== undefined)}
        type={type}
        defaultValue={field.defaultValue}
        autoComplete={autoComplete ?? 'off'}
        disabled={disabled}
        inputMode={inputMode}
        placeholder={placeholder}
        maxLength={field.maxLength}
        dir={leftToRight ? 'ltr' : 'auto'}
        spellCheck={leftToRight ? false : undefined}
        className={`${CONTROL} min-h-11 ${code ? 'font-mono text-sm' : ''} ${leftToRight ? 'rtl:text-end' : ''}`}
      />
    </FieldFrame>
  );
}

/** A secret: never sent back by the server, and never filled from a default value. With scripts it can be shown while it is typed. */
export function PasswordField({ field, label, hint, autoComplete = 'current-password', disabled }: Common) {
  const { t } = useTranslation('common');
  const hydrated = useHydrated();
  const [shown, setShown] = useState(false);
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })}>
      <div className="relative">
        <input
          {...controlAttributes(field, hint !== undefined)}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          disabled={disabled}
          dir="ltr"
          // Room for the button from the start: what fills the field would move when it comes.
          className={`${CONTROL} min-h-11 pe-24 rtl:ps-24 rtl:pe-3 rtl:text-end`}
        />
        {hydrated ? (
          <button
            type="button"
            aria-pressed={shown}
            aria-controls={field.id}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-1 end-1 rounded-md px-3 text-sm font-semibold text-accent hover:bg-accent-soft"
          >
            {t('form.showPassword')}
          </button>
        ) : null}
      </div>
    </FieldFrame>
  );
}

export function NumberField({ field, label, hint, optional, disabled, unit }: Common & { unit?: string }) {
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })} {...(optional ? { optional } : {})}>
      <div className="flex items-center gap-2">
        {/* Text with a numeric keyboard: a number input drops text it cannot read, and nothing typed may be lost. */}
        <input
          {...controlAttributes(field, hint !== undefined)}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={field.defaultValue}
          disabled={disabled}
          dir="ltr"
          className={`${CONTROL} min-h-11 max-w-40 tabular-nums rtl:text-end`}
        />
        {unit ? <span className="text-muted">{unit}</span> : null}
      </div>
    </FieldFrame>
  );
}

export function TextAreaField({ field, label, hint, optional, disabled, rows = 4, code }: Common & { rows?: number; code?: boolean }) {
  return (
    <FieldFrame field={field} label={label} {...(hint === undefined ? {} : { hint })} {...(optional ? { optional } : {})}>
      <TextArea
        {...controlAttributes(field, hint !== undefined)}
        rows={rows}
        defaultValue={field.defaultValue}
        disabled={disabled}
        dir={code ? 'ltr' : 'auto'}
        spellCheck={code ? false : undefined}
        // A line of code stands where the reader begins; a text of many has its indentation.
        className={`${CONTROL} ${code ? `font-mono text-sm leading-relaxed ${rows > 4 ? '' : 'rtl:text-end'}` : ''}`}
      />
    </FieldFrame>
  );
}
