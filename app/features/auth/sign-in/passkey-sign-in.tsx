import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from 'react-router';
import { askForPasskey, canAskForPasskeys } from '#app/components/form/proof/ceremony.ts';
import { PasskeyButton } from '#app/components/form/proof/passkey-button.tsx';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { RefusalNotice } from '#app/features/auth/sign-in/refusal-notice.tsx';

/** Signs in with a passkey: by its button, or where the browser offers one in the field of the address. */
export function PasskeySignIn({ answer }: { answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const submit = useSubmit();
  const offered = useRef<AbortController | null>(null);
  const send = (passkey: string) => void submit({ form: 'passkey', passkey }, { method: 'post' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a page
  useEffect(() => {
    const controller = new AbortController();
    offered.current = controller;
    void offerPasskeys(controller.signal).then((passkey) => (passkey === null ? undefined : send(passkey)));
    return () => controller.abort();
  }, []);
  return (
    // one of the other ways, which end the form before it
    <div className="-mt-5 grid gap-3 [&_button]:w-full">
      <RefusalNotice refusal={answer?.refusal} title={t('signInFailed')} />
      <PasskeyButton
        ask={() => {
          // A browser asks one question at a time.
          offered.current?.abort();
          return askForPasskey({ purpose: 'signIn' });
        }}
        onAnswer={send}
      >
        {t('passkey.use')}
      </PasskeyButton>
    </div>
  );
}

/** A question that waits in the field of the address. Null: the browser has no such, or the page is left; then there is the button. */
async function offerPasskeys(signal: AbortSignal): Promise<string | null> {
  try {
    if (!canAskForPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable())) return null;
    return await askForPasskey({ purpose: 'signIn' }, { mediation: 'conditional', signal });
  } catch {
    return null;
  }
}
