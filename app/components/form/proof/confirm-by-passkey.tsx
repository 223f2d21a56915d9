import type { ReactNode } from 'react';
import { askForPasskey } from '#app/components/form/proof/ceremony.ts';
import { PasskeyButton } from '#app/components/form/proof/passkey-button.tsx';

/** The button that confirms an act by a passkey. A file of its own: few members have one, and nobody else needs it. */
export default function ConfirmByPasskey({
  about,
  onAnswer,
  children,
}: {
  about: string;
  onAnswer: (field: string) => void;
  children: ReactNode;
}) {
  return (
    <PasskeyButton ask={() => askForPasskey({ purpose: 'confirm', about })} onAnswer={onAnswer}>
      {children}
    </PasskeyButton>
  );
}
