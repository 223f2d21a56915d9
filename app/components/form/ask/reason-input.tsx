import { useTranslation } from 'react-i18next';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';

/** `id`: where a page holds more than one. */
type Props = { hint: string; missing?: boolean; id?: string };

/** The reason of a change that another person may have to agree to, in a form of buttons. Needs the namespace control. */
export function ReasonInput({ hint, missing = false, id = 'ask-reason' }: Props) {
  const { t } = useTranslation('control');
  return (
    <div className="grid w-full max-w-xl gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t('ask.reason')}
      </label>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {missing ? (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-danger-ink">
          {t('ask.missing')}
        </p>
      ) : null}
      <textarea
        id={id}
        name="reason"
        rows={3}
        maxLength={CONTROL_REASON_MAX}
        aria-invalid={missing || undefined}
        aria-describedby={missing ? `${id}-hint ${id}-error` : `${id}-hint`}
        className={CONTROL}
      />
    </div>
  );
}
