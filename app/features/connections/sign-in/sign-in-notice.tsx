import { useTranslation } from 'react-i18next';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';
import { signInPageOf } from '#app/features/connections/sign-in/sign-in-address.ts';

/** Leads into the consent where this reader, or the workspace, is not signed in. */
export function SignInNotice({ connection: { id, signIn } }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  if (signIn === null || signIn.state === 'active') return null;
  const { host, by, state, may } = signIn;
  return (
    <Notice kind="attention" title={state === 'lost' ? t('signIn.lostTitle', { host }) : t('signIn.neededTitle', { host })}>
      <p>{by === 'member' ? t('signIn.neededYours') : t('signIn.neededWorkspace')}</p>
      {may ? (
        <CommandForm hidden={{ intent: 'begin' }} action={signInPageOf(id)} className="mt-3">
          <SubmitButton busyLabel={t('signIn.busy')}>{t('signIn.begin', { host })}</SubmitButton>
        </CommandForm>
      ) : (
        <p>{t('signIn.needsManager')}</p>
      )}
    </Notice>
  );
}
