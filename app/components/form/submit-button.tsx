import type { ReactNode } from 'react';
import { useNavigation } from 'react-router';
import { Button, type ButtonSize, type ButtonVariant } from '#app/components/ui/button.tsx';

/** Sends its form. Meanwhile it is disabled and says what is happening. */
export function SubmitButton({
  children,
  busyLabel,
  variant = 'primary',
  size,
  name,
  value,
  formAction,
  form,
}: {
  children: ReactNode;
  busyLabel?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  name?: string;
  value?: string;
  formAction?: string;
  /** Id of a form elsewhere on the page. */
  form?: string;
}) {
  const navigation = useNavigation();
  const sending = navigation.formMethod !== undefined && navigation.formMethod !== 'GET';
  // Of several buttons with one name, only the pressed one shows the progress.
  const mine = sending && (name === undefined || navigation.formData?.get(name) === (value ?? ''));
  return (
    <Button
      variant={variant}
      {...(size ? { size } : {})}
      disabled={sending}
      {...(name === undefined ? {} : { name, value: value ?? '' })}
      {...(formAction === undefined ? {} : { formAction })}
      {...(form === undefined ? {} : { form })}
    >
      {mine && busyLabel ? busyLabel : children}
    </Button>
  );
}
