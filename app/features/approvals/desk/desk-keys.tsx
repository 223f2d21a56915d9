import { useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';

/** Keys that write or choose something where they are pressed. */
const TYPED = 'input, textarea, select, [contenteditable], [role="menu"], dialog';

/**
 * J and K go to the approval behind and before; A and R lead to the answer, and decide nothing on their own: A puts the focus on the
 * password at high risk, else on the button, R on the reason, which a rejection needs. Only for who wants keys (WCAG 2.1.4).
 */
export function DeskKeys({ before, after }: { before: string | null; after: string | null }) {
  const { t } = useTranslation('approvals');
  const navigate = useNavigate();
  const { settings, announce } = useAccessibility();
  const on = settings.keyboardNavigation;
  // Keys listen in the moment in which the page takes its first press, not some time behind it.
  useLayoutEffect(() => {
    if (!on) return;
    const go = (to: string | null, nothing: string) => (to === null ? announce(nothing) : void navigate(to, { preventScrollReset: true }));
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED) !== null) return;
      const form = document.querySelector<HTMLFormElement>('form#decide');
      const field = (selector: string) => form?.querySelector<HTMLElement>(selector) ?? null;
      const act = {
        j: () => go(after, t('desk.noneAfter')),
        k: () => go(before, t('desk.noneBefore')),
        a: () => (field('[name="password"]') ?? field('button[name="vote"]'))?.focus(),
        r: () => field('textarea[name="reason"]')?.focus(),
      }[event.key.toLowerCase()];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [on, before, after, navigate, announce, t]);
  return null;
}
