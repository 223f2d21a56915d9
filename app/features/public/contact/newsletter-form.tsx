import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { href, useFetcher } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { Button } from '#app/components/ui/button.tsx';
import type { NewsletterAnswer } from '#app/features/public/contact/newsletter-action.server.ts';

const THANKS_MS = 3_000;

/**
 * One field and a button. The server alone decides what an address is: no schema goes to the browser with a public page. `answer` is what
 * the page itself was answered, where no script ran.
 */
export function NewsletterForm({ answer }: { answer: NewsletterAnswer | null }) {
  const { t } = useTranslation('public');
  const id = useId();
  const hydrated = useHydrated();
  const fetcher = useFetcher<NewsletterAnswer>();
  const form = useRef<HTMLFormElement>(null);
  const thanked = useThanks(fetcher.data, form);
  const shown = fetcher.data ?? answer;
  const refused = shown?.state === 'refused' && fetcher.state === 'idle' ? shown : null;
  return (
    <fetcher.Form ref={form} method="post" action={href('/newsletter')} className="mt-4 max-w-md" noValidate>
      <label htmlFor={id} className="text-sm font-semibold">
        {t('newsletter.email')}
      </label>
      {refused ? (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-sm font-semibold text-danger-ink">
          {refused.problem}
        </p>
      ) : null}
      <div className="mt-1.5 flex flex-wrap gap-2">
        <input
          id={id}
          name="email"
          type="email"
          autoComplete="email"
          required
          dir="ltr"
          defaultValue={answer?.state === 'refused' ? answer.email : ''}
          className="min-h-11 min-w-0 grow basis-48 rounded-md border border-edge bg-surface px-3 text-base text-ink aria-invalid:border-2 aria-invalid:border-danger-ink"
          {...(refused ? { 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {})}
        />
        <Button aria-disabled={fetcher.state !== 'idle'}>{t('newsletter.subscribe')}</Button>
      </div>
      {/* Nobody sees or reaches this field: only robots fill it in (honeypot). */}
      <div aria-hidden="true" className="absolute -start-[200vw] size-px overflow-hidden">
        <label htmlFor={`${id}-website`}>{t('newsletter.leaveEmpty')}</label>
        <input id={`${id}-website`} name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      {hydrated ? <input type="hidden" name="inPlace" value="yes" /> : null}
      <p role="status" className="mt-2 min-h-6 text-sm font-semibold text-ok-ink">
        {thanked ? t('newsletter.subscribed') : ''}
      </p>
    </fetcher.Form>
  );
}

/** True for three seconds after each success, which also clears the field. */
function useThanks(answer: NewsletterAnswer | undefined, form: React.RefObject<HTMLFormElement | null>): boolean {
  const [thanked, setThanked] = useState(false);
  useEffect(() => {
    if (answer?.state !== 'subscribed') return;
    form.current?.reset();
    setThanked(true);
    const over = setTimeout(() => setThanked(false), THANKS_MS);
    return () => clearTimeout(over);
  }, [answer, form]);
  return thanked;
}
