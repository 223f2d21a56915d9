import { useTranslation } from 'react-i18next';
import { CONTROL, controlAttributes, FieldErrors, type FormFieldset, GroupFrame, partOf } from '#app/components/form/field-parts.tsx';

/** An amount and its currency, side by side. Posts `<name>.amount` and `<name>.currency`. */
export function MoneyField({
  field,
  label,
  hint,
  optional,
  required,
  currencies,
  choose,
}: {
  field: FormFieldset;
  label: string;
  hint?: string;
  optional?: boolean;
  required: boolean;
  currencies: readonly string[];
  choose: string;
}) {
  const { t } = useTranslation('inputs');
  const amount = partOf(field, 'amount', required);
  const currency = partOf(field, 'currency', required);
  return (
    <GroupFrame field={field} label={label} {...(hint === undefined ? {} : { hint })} {...(optional ? { optional } : {})}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="grid gap-1">
          <label htmlFor={amount.id} className="text-sm">
            {t('amount')}
          </label>
          <FieldErrors field={amount} />
          <input
            {...controlAttributes(amount, false)}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={amount.defaultValue}
            dir="ltr"
            className={`${CONTROL} min-h-11 w-36 tabular-nums sm:w-44 rtl:text-end`}
          />
        </div>
        <div className="grid gap-1">
          <label htmlFor={currency.id} className="text-sm">
            {t('currency')}
          </label>
          <FieldErrors field={currency} />
          <select {...controlAttributes(currency, false)} defaultValue={currency.defaultValue} className={`${CONTROL} min-h-11 w-28`}>
            {currencies.length === 1 ? null : <option value="">{choose}</option>}
            {currencies.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </select>
        </div>
      </div>
    </GroupFrame>
  );
}
