import { useTranslation } from 'react-i18next';

/** As long as a reason may be; the commands hold the same limit. */
const MOST_CHARACTERS = 1000;

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
        maxLength={MOST_CHARACTERS}
        aria-invalid={missing || undefined}
        aria-describedby={missing ? 'ask-reason-hint ask-reason-error' : 'ask-reason-hint'}
        className="block w-full rounded-md border border-edge bg-surface px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-danger-ink"
      />
    </div>
  );
}
