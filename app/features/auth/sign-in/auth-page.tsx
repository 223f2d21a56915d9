import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link, useNavigate } from 'react-router';
import { Notice } from '#app/components/page/notice.tsx';
import { TaskPage } from '#app/components/page/task-page.tsx';
import type { AuthMode } from '#app/features/auth/sign-in/auth-mode.ts';
import type { AuthView } from '#app/features/auth/sign-in/load-auth.server.ts';
import { PasskeySignIn } from '#app/features/auth/sign-in/passkey-sign-in.tsx';
import { answerTo, type FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { SignInForm } from '#app/features/auth/sign-in/sign-in-form.tsx';
import { SignUpForm } from '#app/features/auth/sign-in/sign-up-form.tsx';
import ArrowLeft from '~icons/arrow-left';

// No browser loads it.
const head = import.meta.env.SSR ? await import('#app/components/page/seo-head.tsx') : null;

export function AuthPage({ view, answer }: { view: AuthView; answer: FormAnswer | undefined }) {
  const { t } = useTranslation('auth');
  const title = view.mode === 'sign-in' ? t('signInTitle') : t('signUpTitle');
  // The other tab begins with the address that was typed in this one.
  const [email, setEmail] = useState('');
  return (
    <TaskPage title={title} description={view.next === null ? undefined : t('comesBack')} above={<BackLink />}>
      <meta name="description" content={t('found')} />
      {head ? <head.SeoHead title={title} description={t('found')} /> : null}
      {view.invalidMode ? (
        <Notice kind="attention" title={t('invalidMode')}>
          {t('invalidModeBody')}
        </Notice>
      ) : null}
      {view.again ? (
        <Notice kind="info" title={t('again.title')}>
          {t('again.body')}
        </Notice>
      ) : null}
      <ModeTabs view={view} />
      <div
        className="grid gap-8"
        onInput={({ target }) => {
          if (target instanceof HTMLInputElement && target.name === 'email') setEmail(target.value);
        }}
      >
        {view.admission === null ? (
          <>
            <SignInForm email={email} next={view.next} passkeys={view.passkeys} answer={answerTo('sign-in', answer)} />
            {view.passkeys ? <PasskeySignIn answer={answerTo('passkey', answer)} /> : null}
          </>
        ) : (
          <SignUpForm admission={view.admission} email={email} answer={answerTo('sign-up', answer)} />
        )}
      </div>
    </TaskPage>
  );
}

/** Back is the start page without scripts, and the page before with them. */
function BackLink() {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  return (
    <Link
      to={href('/')}
      className="text-link inline-flex items-center gap-1.5 py-1"
      onClick={(event) => {
        if (window.history.length <= 1 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(-1);
      }}
    >
      <ArrowLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      {t('back')}
    </Link>
  );
}

const MODES: readonly AuthMode[] = ['sign-in', 'sign-up'];

/** Links that look like tabs; the arrow keys go from one to the other. */
function ModeTabs({ view }: { view: AuthView }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const label = { 'sign-in': t('signInTab'), 'sign-up': t('signUpTab') };
  const address = (mode: AuthMode) =>
    `${href('/auth')}?${new URLSearchParams({
      mode,
      ...(view.next === null ? {} : { next: view.next }),
      ...(view.again ? { again: '1' } : {}),
    })}`;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    // From the tab that has the focus: the page may still be on its way to the one that was chosen last.
    const focused = event.target instanceof HTMLElement ? event.target.dataset.mode : view.mode;
    const other = focused === 'sign-in' ? 'sign-up' : 'sign-in';
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-mode="${other}"]`)?.focus();
    void navigate(address(other), { replace: true, preventScrollReset: true });
  };
  return (
    <nav aria-label={t('tabsLabel')} className="flex border-b border-line" onKeyDown={onKeyDown}>
      {MODES.map((mode) => (
        <Link
          key={mode}
          to={address(mode)}
          replace
          preventScrollReset
          data-mode={mode}
          aria-current={mode === view.mode ? 'page' : undefined}
          className="-mb-px border-b-2 border-transparent px-4 py-2.5 font-semibold text-muted no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {label[mode]}
        </Link>
      ))}
    </nav>
  );
}
