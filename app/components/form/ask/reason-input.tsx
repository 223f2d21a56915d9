import { useTranslation } from 'react-i18next';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';

type Props = { hint: string; missing?: boolean };

/** The reason of a change that another person may have to agree to, in a form of buttons. Needs the namespace control. */
export function ReasonInput({ hint, missing = false }: Props) {
  const { t } = useTranslation('control');
  return (
    <div className="grid w-full max-w-xl gap-1.5">
      <label htmlFor="ask-reason" className="font-semibold">
        {t('ask.reason')}
      </label>
      <p id="ask-reason-hint" className="text-sm text-muted">
        {hint}
      </p>
      {missing ? (
        <p id="ask-reason-error" role="alert" className="text-sm font-semibold text-danger-ink">
          {t('ask.missing')}
        </p>
      ) : null}
      <textarea
        id="ask-reason"
        name="reason"
        rows={3}
        maxLength={CONTROL_REASON_MAX}
        aria-invalid={missing || undefined}
        aria-describedby={missing ? 'ask-reason-hint ask-reason-error' : 'ask-reason-hint'}
        className={CONTROL}
      />
    </div>
  );
}
