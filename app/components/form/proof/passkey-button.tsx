import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canAskForPasskeys } from '#app/components/form/proof/ceremony.ts';
import { NeedsScripts } from '#app/components/form/proof/needs-scripts.tsx';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { Button, type ButtonVariant } from '#app/components/ui/button.tsx';

/**
 * A button that asks the browser for a passkey, and says what came of it. Passkeys need scripts: without them a sentence stands in its place.
 * Needs the namespace common.
 */
export function PasskeyButton({
  ask,
  onAnswer,
  variant = 'secondary',
  children,
}: {
  ask: () => Promise<string | null>;
  onAnswer: (field: string) => void;
  variant?: ButtonVariant;
  children: ReactNode;
}) {
  const { t } = useTranslation('common');
  const hydrated = useHydrated();
  const [state, setState] = useState<'idle' | 'asking' | 'putOff' | 'failed'>('idle');
  const press = async () => {
    setState('asking');
    try {
      const field = await ask();
      setState(field === null ? 'putOff' : 'idle');
      if (field !== null) onAnswer(field);
    } catch {
      setState('failed');
    }
  };
  const able = !hydrated || canAskForPasskeys();
  return (
    <div className="grid max-w-measure justify-items-start gap-1.5">
      <NeedsScripts />
      {able ? (
        <span className="contents noscript:hidden">
          <Button type="button" variant={variant} disabled={!hydrated || state === 'asking'} onClick={() => void press()}>
            {state === 'asking' ? t('passkey.asking') : children}
          </Button>
        </span>
      ) : (
        <p className="text-sm text-muted">{t('passkey.notHere')}</p>
      )}
      <p role="status" className="text-sm text-muted empty:hidden">
        {state === 'putOff' ? t('passkey.putOff') : state === 'failed' ? t('passkey.failed') : ''}
      </p>
    </div>
  );
}
