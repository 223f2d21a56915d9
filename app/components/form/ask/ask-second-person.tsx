import { useTranslation } from 'react-i18next';
import { ReasonInput } from '#app/components/form/ask/reason-input.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';

type Props = { hidden: Record<string, string>; submit: string; missing: boolean; id?: string };

/** Asks another person to agree to a change, with the reason for it. `missing`: it was sent without one. Needs the namespace control. */
export function AskSecondPerson({ hidden, submit, missing, id }: Props) {
  const { t } = useTranslation('control');
  return (
    <CommandForm hidden={hidden} className="grid justify-items-start gap-6">
      <ReasonInput hint={t('ask.reasonHint')} missing={missing} {...(id === undefined ? {} : { id })} />
      <SubmitButton busyLabel={t('ask.busy')}>{submit}</SubmitButton>
    </CommandForm>
  );
}
