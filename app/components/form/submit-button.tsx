import type { ReactNode } from 'react';
import { useNavigation } from 'react-router';
import { Button, type ButtonSize, type ButtonVariant } from '#app/components/ui/button.tsx';

/** Sends its form. While that is under way it is disabled and says what is being done. */
export function SubmitButton({
  children,
  busyLabel,
  variant = 'primary',
  size,
  name,
  value,
  formAction,
}: {
  children: ReactNode;
  busyLabel?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  name?: string;
  value?: string;
  formAction?: string;
}) {
  const navigation = useNavigation();
  const sending = navigation.formMethod !== undefined && navigation.formMethod !== 'GET';
  // With several buttons under one name, only the one that was pressed speaks.
  const mine = sending && (name === undefined || navigation.formData?.get(name) === (value ?? ''));
  return (
    <Button
      variant={variant}
      {...(size ? { size } : {})}
      disabled={sending}
      {...(name === undefined ? {} : { name, value: value ?? '' })}
      {...(formAction === undefined ? {} : { formAction })}
    >
      {mine && busyLabel ? busyLabel : children}
    </Button>
  );
}
